//! Collision filters and contact parameters.

use crate::models::load;
use crate::tolerance::{ROUNDING, close};
use sim_core::types::{Contact, DisableBit, EnableBit, Warning};
use sim_core::{
    AddContactError, Model, forward_with_contacts, mj_add_contact, mj_fwd_position,
    mj_make_constraint,
};

/// Two overlapping spheres, the first one static, with attributes and elements of `<contact>`.
fn spheres(one: &str, two: &str, contact: &str) -> Model {
    load(&format!(
        r#"<mujoco><worldbody><geom name="a" size=".1" {one}/><body name="b" pos="0 0 .15">
        <freejoint/><geom name="b" size=".1" {two}/></body></worldbody>
        <contact>{contact}</contact></mujoco>"#
    ))
}

fn contacts(m: &Model) -> Vec<Contact> {
    let mut d = m.make_data();
    mj_fwd_position(m, &mut d);
    d.contact
}

#[track_caller]
fn contact(m: &Model) -> Contact {
    let found = contacts(m);
    assert_eq!(found.len(), 1);
    found[0]
}

#[test]
fn contact_has_position_frame_and_distance() {
    let found = contact(&spheres("", "", ""));
    close("dist", &[found.dist], &[-0.05], ROUNDING);
    close("pos", &found.pos, &[0.0, 0.0, 0.075], ROUNDING);
    close("frame", &found.frame, &[0.0, 0.0, 1.0, 0.0, 1.0, 0.0, -1.0, 0.0, 0.0], ROUNDING);
    assert_eq!((found.geom, found.dim, found.exclude), ([0, 1], 3, 0));
    assert_eq!((found.efc_address, found.mu), (0, 1.0));
}

#[test]
fn masks_filter_contacts() {
    let count = |one: &str, two: &str| contacts(&spheres(one, two, "")).len();
    assert_eq!(count(r#"contype="2""#, ""), 1, "one matching direction is enough");
    assert_eq!(count(r#"contype="2" conaffinity="2""#, ""), 0);
    assert_eq!(count(r#"contype="4" conaffinity="0""#, r#"contype="0" conaffinity="6""#), 1);
}

#[test]
fn excluded_bodies_have_no_contacts() {
    assert!(contacts(&spheres("", "", r#"<exclude body1="world" body2="b"/>"#)).is_empty());
}

#[test]
fn disable_flags_remove_contacts() {
    for bit in [DisableBit::Contact, DisableBit::Constraint] {
        let mut m = spheres("", "", r#"<pair geom1="a" geom2="b"/>"#);
        m.opt.disableflags |= bit as i32;
        assert!(contacts(&m).is_empty());
    }
}

#[test]
fn margins_and_gaps_are_summed() {
    let m = spheres(r#"margin=".3" gap=".1""#, r#"margin=".2" gap=".05""#, "");
    close("includemargin", &[contact(&m).includemargin], &[0.35], ROUNDING);
    let far = spheres(r#"margin=".3" pos="0 0 -.3" gap=".25""#, "", "");
    let found = contact(&far);
    assert_eq!((found.dist > 0.05, found.exclude), (true, 1), "in the gap");
}

#[test]
fn equal_priority_mixes_parameters() {
    let one = r#"condim="4" friction=".2 .3 .01" solmix="1" solref=".02 1" solimp=".8 .9 .01""#;
    let two = r#"condim="6" friction=".4 .1 .02" solmix="3" solref=".04 2" solimp=".6 .7 .05""#;
    let found = contact(&spheres(one, two, ""));
    assert_eq!(found.dim, 6);
    close("friction", &found.friction, &[0.4, 0.4, 0.3, 0.02, 0.02], ROUNDING);
    close("solref", &found.solref, &[0.035, 1.75], ROUNDING);
    close("solimp", &found.solimp[..3], &[0.65, 0.75, 0.04], ROUNDING);
    assert_eq!(found.solreffriction, [0.0; 2]);
    let stiff = contact(&spheres(r#"solref="-100 -1""#, r#"solref=".02 1""#, ""));
    assert_eq!(stiff.solref, [-100.0, -1.0], "direct and standard solref formats are not averaged");
    for (one, two, share) in [("0", "0", 0.5), ("0", "1", 0.0), ("1", "0", 1.0)] {
        let one = format!(r#"solmix="{one}" solref="1 1""#);
        let two = format!(r#"solmix="{two}" solref="2 2""#);
        close("solref", &contact(&spheres(&one, &two, "")).solref, &[2.0 - share; 2], ROUNDING);
    }
}

#[test]
fn higher_priority_determines_parameters() {
    let one = r#"priority="1" condim="1" friction=".2 .3 .01" solref=".05 1""#;
    let two = r#"condim="6" friction=".4 .4 .4" solref=".02 1""#;
    for m in [spheres(one, two, ""), spheres(two, one, "")] {
        let found = contact(&m);
        assert_eq!(found.dim, 1);
        close("friction", &found.friction, &[0.2, 0.2, 0.3, 0.01, 0.01], ROUNDING);
        close("solref", &found.solref, &[0.05, 1.0], ROUNDING);
    }
}

#[test]
fn explicit_pairs_use_their_own_parameters() {
    let pair = r#"<pair geom1="a" geom2="b" condim="4" friction="1 2 3 4 5" margin=".3" gap=".1"
        solref=".05 3" solreffriction=".07 2" solimp=".5 .6 .7"/>"#;
    // masks, exclusions and geom parameters are ignored
    let excluded = format!(r#"{pair}<exclude body1="world" body2="b"/>"#);
    let m = spheres(r#"contype="0" priority="5" margin=".9""#, r#"contype="0""#, &excluded);
    let found = contact(&m);
    assert_eq!((found.geom, found.dim), ([0, 1], 4));
    assert_eq!(found.friction, [1.0, 2.0, 3.0, 4.0, 5.0]);
    assert_eq!((found.solref, found.solreffriction), ([0.05, 3.0], [0.07, 2.0]));
    close("includemargin", &[found.includemargin], &[0.2], ROUNDING);
    assert_eq!(contacts(&spheres("", "", pair)).len(), 1, "the pair is tested once");
}

#[test]
fn override_flag_replaces_parameters() {
    let mut m = spheres(r#"margin=".3" gap=".1""#, "", "");
    m.opt.enableflags |= EnableBit::Override as i32;
    m.opt.o_margin = 0.2;
    m.opt.o_friction = [0.0, 0.5, 0.5, 0.5, 0.5];
    m.opt.o_solref = [0.3, 4.0];
    let found = contact(&m);
    close("includemargin", &[found.includemargin], &[0.1], ROUNDING);
    assert_eq!(found.friction, [1e-5, 0.5, 0.5, 0.5, 0.5]);
    assert_eq!((found.solref, found.solreffriction), ([0.3, 4.0], [0.3, 4.0]));
    assert_eq!(found.solimp, m.opt.o_solimp);
}

#[test]
fn parent_child_contacts_need_filterparent_disabled() {
    let mut m = load(
        r#"<mujoco><worldbody><geom size=".1"/><body pos="0 0 .15"><joint/><geom size=".1"/>
        <body pos="0 0 .15"><joint/><geom size=".1"/><body pos="0 .15 0"><geom size=".1"/>
        </body></body></body></worldbody></mujoco>"#,
    );
    let geoms = |m: &Model| contacts(m).iter().map(|c| c.geom).collect::<Vec<_>>();
    assert_eq!(geoms(&m), [[0, 1]], "the world does not count as a parent");
    m.opt.disableflags |= DisableBit::FilterParent as i32;
    assert_eq!(geoms(&m), [[0, 1], [1, 2]], "welded bodies count as one");
}

/// A hand-made copy of the detected contact has the same constraint rows.
#[test]
fn added_contact_has_the_rows_of_the_detected_one() {
    let m = spheres("", "", "");
    let mut detected = m.make_data();
    mj_fwd_position(&m, &mut detected);
    let mut d = detected.clone();
    let [contact] = d.contact[..] else { panic!("one contact") };
    d.contact.clear();
    d.ncon = 0;
    mj_add_contact(&m, &mut d, &contact).unwrap();
    assert_eq!((d.ncon, d.nefc, d.nisland), (1, 0, 0), "rows are discarded");
    mj_make_constraint(&m, &mut d);
    assert_eq!(d.contact, detected.contact);
    assert_eq!((d.nefc, &d.efc_J), (detected.nefc, &detected.efc_J));
    assert_eq!((&d.efc_R, &d.efc_KBIP), (&detected.efc_R, &detected.efc_KBIP));
}

/// Without gravity, a contact at depth zero and rest exerts no force; an approaching one does.
#[test]
fn added_contact_resists_approach() {
    let mut m = spheres(r#"pos="0 0 -5""#, "", "");
    m.opt.gravity = [0.0; 3];
    let contact = Contact::new([0.0, 0.0, 0.05], [0.0, 0.0, 1.0], 0.0, 0, 1, 0.5);
    let force = |speed: f64| {
        let mut d = m.make_data();
        d.qvel[2] = speed;
        mj_fwd_position(&m, &mut d);
        mj_add_contact(&m, &mut d, &contact).unwrap();
        forward_with_contacts(&m, &mut d).unwrap();
        assert_eq!(d.ncon, 1);
        d.qfrc_constraint[2]
    };
    assert_eq!(force(0.0), 0.0);
    assert!(force(-1.0) > 0.0);
    assert_eq!(force(1.0), 0.0, "separating");
}

#[test]
fn adding_invalid_contacts_fails() {
    let mut m = spheres("", "", "");
    let mut d = m.make_data();
    mj_fwd_position(&m, &mut d);
    let contact = d.contact[0];
    let no_geom = Contact { geom: [0, 2], ..contact };
    let error = mj_add_contact(&m, &mut d, &no_geom).unwrap_err();
    assert_eq!(error, AddContactError::NoSuchGeom { geom: 2, ngeom: 2 });
    assert_eq!(error.to_string(), "geom 2 does not exist: the model has 2 geoms");
    let error = mj_add_contact(&m, &mut d, &Contact { dim: 2, ..contact }).unwrap_err();
    assert_eq!(error, AddContactError::InvalidDim { dim: 2 });
    assert_eq!((d.ncon, d.nefc > 0), (1, true), "the data is unchanged");
    m.nconmax = 2;
    mj_add_contact(&m, &mut d, &contact).unwrap();
    let error = mj_add_contact(&m, &mut d, &contact).unwrap_err();
    assert_eq!(error, AddContactError::Full { nconmax: 2 });
    assert_eq!(d.warning[Warning::ContactFull as usize].number, 1);
}

/// With contacts disabled an added contact is kept, but has no rows.
#[test]
fn added_contact_has_no_rows_if_contacts_are_disabled() {
    let mut m = spheres("", "", "");
    m.opt.disableflags |= DisableBit::Contact as i32;
    let mut d = m.make_data();
    mj_fwd_position(&m, &mut d);
    let contact = Contact::new([0.0, 0.0, 0.05], [0.0, 0.0, 1.0], 0.01, 0, 1, 0.5);
    mj_add_contact(&m, &mut d, &contact).unwrap();
    mj_make_constraint(&m, &mut d);
    assert_eq!((d.ncon, d.nefc), (1, 0));
}
