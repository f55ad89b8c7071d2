// The lanes that solve together: a team while no contact ties its trees to another's, otherwise all.

// whether a contact ties trees of different teams; in the list of rows, those of this lane's team and those that tie
var<private> tied: bool;
var<private> own_rows: vec2<u32>;
var<private> tie_rows: vec2<u32>;

fn alone() -> bool { return TEAMS > 1u && (PASS == FIRST || !tied); }
fn crew() -> u32 {
    if TEAMS == 1u { return 0u; }
    return lane >> 5u;
}
fn crew_lane() -> u32 {
    if alone() { return lane & 31u; }
    return lane;
}
// whether any crew has this
fn any_crew(x: bool) -> bool {
    if alone() { return lane_any(x); }
    return x;
}
fn crew_size() -> u32 { return select(LANES, 32u, alone()); }

// columns of matrices: those of each team begin with a new four
fn column(i: u32) -> u32 {
    if TEAMS == 1u { return i; }
    return ti[COLUMN + i];
}
// the dof of a lane, or none; where there are fewer lanes than dofs, others follow by the number of lanes
fn first_dof() -> u32 {
    if TEAMS == 1u { return lane; }
    let i = ti[LANE_DOF + lane];
    return select(NONE, i, i < 0x80000000u);
}

// a first pass leaves what is tied to the second
fn find_ties() {
    sync();
    tied = false;
    if TIES == 0u { return; }
    var any = false;
    for (var c = lane; c < ncon; c += LANES) { any = any || ti[PAIR_TEAM + con_pair(c)] == NONE; }
    tied = lane_any(any);
    unfinished = unfinished || tied;
}

fn team_of(c: u32) -> u32 { return ti[PAIR_TEAM + con_pair(c)]; }
// whether a contact is this crew's to look after, and whether it moves anything of this lane's team
fn in_crew(c: u32) -> bool { return !alone() || team_of(c) == crew(); }
fn moves_team(c: u32) -> bool { return TEAMS == 1u || team_of(c) == crew() || team_of(c) == NONE; }

// what a row has in columns of teams that it does not move is not looked at
fn reaches_dof(r: u32, i: u32) -> bool {
    if TEAMS == 1u { return true; }
    return wu[ROW_TEAM + r] == NONE || wu[ROW_TEAM + r] == ti[DOF_TEAM + i];
}

// lists rows by teams, and those of no team behind them
fn note_team(r: u32, team: u32) { if TEAMS > 1u { wu[ROW_TEAM + r] = team; } }
fn share_rows() {
    own_rows = vec2<u32>(0u, nefc);
    tie_rows = vec2<u32>(nefc);
    if TEAMS == 1u { return; }
    let own = list_size(crew());
    if (lane & 31u) == 0u { wu[TEAM_ROWS + crew()] = own.y; }
    sync();
    var first = 0u;
    for (var t = 0u; t < TEAMS; t++) {
        if t == crew() { own_rows = vec2<u32>(first, first + wu[TEAM_ROWS + t]); }
        first += wu[TEAM_ROWS + t];
    }
    list(crew(), own_rows.x + own.x);
    if !alone() {
        // every team writes the same
        tie_rows.x = first;
        list(NONE, first + list_size(NONE).x);
    }
    sync();
}
// how many rows of a team lanes before this one have found, and how many there are
fn list_size(team: u32) -> vec2<u32> {
    var count = 0u;
    for (var r = lane & 31u; r < nefc; r += 32u) { count += u32(wu[ROW_TEAM + r] == team); }
    return team_scan(count);
}
fn list(team: u32, first: u32) {
    var at = ROW_LIST + first;
    for (var r = lane & 31u; r < nefc; r += 32u) {
        if wu[ROW_TEAM + r] == team { wu[at] = r; at++; }
    }
}
fn listed(k: u32) -> u32 {
    if TEAMS == 1u { return k; }
    return wu[ROW_LIST + k];
}

// rows that this crew looks after
fn rows_from() -> u32 {
    if alone() { return own_rows.x; }
    return 0u;
}
fn rows_to() -> u32 {
    if alone() { return own_rows.y; }
    return nefc;
}
fn row_at(k: u32) -> u32 {
    if alone() { return listed(k); }
    return k;
}
