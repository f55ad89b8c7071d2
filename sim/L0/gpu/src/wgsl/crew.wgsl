// The lanes that solve together: a team while no contact ties its trees to another's, otherwise all.

// whether a contact ties trees of different teams, and the rows of this lane's team
var<private> tied: bool;
var<private> crew_rows: vec2<u32>;

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
    for (var c = lane; c < ncon; c += LANES) { any = any || ti[PAIR_TEAM + wu[CON_PAIR + c]] == NONE; }
    tied = lane_any(any);
    unfinished = unfinished || tied;
    needed = needed || tied;
}

fn in_crew(c: u32) -> bool { return !alone() || ti[PAIR_TEAM + wu[CON_PAIR + c]] == crew(); }

// rows of each team in a list
fn note_team(r: u32, team: u32) { if TEAMS > 1u { wu[ROW_TEAM + r] = team; } }
fn share_rows() {
    if !alone() { return; }
    var count = 0u;
    for (var r = crew_lane(); r < nefc; r += 32u) { count += u32(wu[ROW_TEAM + r] == crew()); }
    let place = crew_scan(count);
    if crew_lane() == 0u { wu[TEAM_ROWS + crew()] = place.y; }
    sync();
    var first = 0u;
    for (var t = 0u; t < crew(); t++) { first += wu[TEAM_ROWS + t]; }
    crew_rows = vec2<u32>(first, first + place.y);
    var at = ROW_LIST + first + place.x;
    for (var r = crew_lane(); r < nefc; r += 32u) {
        if wu[ROW_TEAM + r] == crew() { wu[at] = r; at++; }
    }
    sync();
}
fn rows_from() -> u32 {
    if alone() { return crew_rows.x; }
    return 0u;
}
fn rows_to() -> u32 {
    if alone() { return crew_rows.y; }
    return nefc;
}
fn row_at(k: u32) -> u32 {
    if alone() { return wu[ROW_LIST + k]; }
    return k;
}
