// Tree groups: kinematic trees are partitioned into groups of at most 32 dofs, one subgroup of lanes each. While no
// contact couples two groups, each group solves its own constraint problem ("active group" = the tree group);
// otherwise all lanes solve together ("active group" = the whole workgroup).

// Whether a contact couples trees of different groups; the ranges of this group's rows and of the coupling rows in
// the row list.
var<private> coupled: bool;
var<private> group_rows: vec2<u32>;
var<private> coupling_rows: vec2<u32>;

fn groups_independent() -> bool { return NGROUP > 1u && (PASS == PASS_FIRST || !coupled); }
fn group_index() -> u32 {
    if NGROUP == 1u { return 0u; }
    return lane >> 5u;
}
fn active_lane() -> u32 {
    if groups_independent() { return lane & 31u; }
    return lane;
}
// Whether the condition holds in any active group.
fn any_active_group(x: bool) -> bool {
    if groups_independent() { return workgroup_any(x); }
    return x;
}
fn active_size() -> u32 { return select(LANES, 32u, groups_independent()); }

// Column of a dof in the matrices; the columns of each group start at a multiple of four.
fn dof_column(i: u32) -> u32 {
    if NGROUP == 1u { return i; }
    return ti[DOF_COLUMN + i];
}
// The dof of this lane, or NONE. With more dofs than lanes, a lane also has every LANES-th dof after it.
fn lane_dof() -> u32 {
    if NGROUP == 1u { return lane; }
    let i = ti[LANE_DOF + lane];
    return select(NONE, i, i < 0x80000000u);
}

// Without tree groups, a lane's first two dofs are processed together, because then a row is read once for both.
const PAIRED_DOFS: bool = NGROUP == 1u && NV > LANES;
const DOF_STRIDE: u32 = LANES * select(1u, 2u, PAIRED_DOFS);

// Detects contacts that couple groups; the first pass suspends such environments.
fn find_coupling() {
    sync();
    coupled = false;
    if GROUPS_MAY_COUPLE == 0u { return; }
    var any = false;
    for (var c = lane; c < ncon; c += LANES) { any = any || ti[PAIR_GROUP + con_pair(c)] == NONE; }
    coupled = workgroup_any(any);
    if PASS == PASS_FIRST { suspend_requested = suspend_requested || coupled; }
}

fn contact_group(c: u32) -> u32 { return ti[PAIR_GROUP + con_pair(c)]; }
// Whether a contact belongs to this active group, and whether it affects dofs of this lane's group.
fn in_active_group(c: u32) -> bool { return !groups_independent() || contact_group(c) == group_index(); }
fn affects_group(c: u32) -> bool { return NGROUP == 1u || contact_group(c) == group_index() || contact_group(c) == NONE; }

// A row's entries in columns of groups that it does not affect are undefined.
fn row_affects_dof(r: u32, i: u32) -> bool {
    if NGROUP == 1u { return true; }
    return wu[ROW_GROUP + r] == NONE || wu[ROW_GROUP + r] == ti[DOF_GROUP + i];
}

// Sorts row indices by group, with the coupling rows last.
fn set_row_group(r: u32, group: u32) { if NGROUP > 1u { wu[ROW_GROUP + r] = group; } }
fn partition_rows() {
    group_rows = vec2<u32>(0u, nefc);
    coupling_rows = vec2<u32>(nefc);
    if NGROUP == 1u { return; }
    let counts = count_group_rows(group_index());
    if (lane & 31u) == 0u { wu[GROUP_NEFC + group_index()] = counts.y; }
    sync();
    var first = 0u;
    for (var t = 0u; t < NGROUP; t++) {
        if t == group_index() { group_rows = vec2<u32>(first, first + wu[GROUP_NEFC + t]); }
        first += wu[GROUP_NEFC + t];
    }
    list_group_rows(group_index(), group_rows.x + counts.x);
    if !groups_independent() {
        // Every group writes the same values.
        coupling_rows.x = first;
        list_group_rows(NONE, first + count_group_rows(NONE).x);
    }
    sync();
}
// Number of rows of a group that lanes before this one have found, and the total.
fn count_group_rows(group: u32) -> vec2<u32> {
    var count = 0u;
    for (var r = lane & 31u; r < nefc; r += 32u) { count += u32(wu[ROW_GROUP + r] == group); }
    return group_scan(count);
}
fn list_group_rows(group: u32, first: u32) {
    var slot = GROUP_ROWS + first;
    for (var r = lane & 31u; r < nefc; r += 32u) {
        if wu[ROW_GROUP + r] == group { wu[slot] = r; slot++; }
    }
}
fn listed_row(k: u32) -> u32 {
    if NGROUP == 1u { return k; }
    return wu[GROUP_ROWS + k];
}

// Rows of the active group.
fn active_rows_begin() -> u32 {
    if groups_independent() { return group_rows.x; }
    return 0u;
}
fn active_rows_end() -> u32 {
    if groups_independent() { return group_rows.y; }
    return nefc;
}
fn active_row(k: u32) -> u32 {
    if groups_independent() { return listed_row(k); }
    return k;
}
