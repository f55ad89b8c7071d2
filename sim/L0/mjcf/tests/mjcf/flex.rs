//! Flexes that MuJoCo loads and whose settings have no effect or are easily dropped.

use sim_mjcf::{load_str, load_str_with_warnings};

fn patch(attributes: &str, children: &str) -> String {
    format!(
        r#"<mujoco><compiler discardvisual="true"/><worldbody>
          <flexcomp name="f" type="direct" dim="2" radius=".01" point="0 0 0 .1 0 0 .1 .1 0 0 .1 0"
              element="0 1 2 0 2 3" texcoord="0 0 1 0 1 1 0 1" {attributes}>
            <contact selfcollide="none"/>{children}
          </flexcomp>
        </worldbody></mujoco>"#
    )
}

#[test]
fn an_equality_of_pinned_points_has_no_effect() {
    let all_pinned = r#"<pin range="0 3"/>"#;
    for (attributes, pins) in [(r#"rigid="true""#, ""), ("", all_pinned)] {
        let xml = patch(attributes, &format!(r#"<edge equality="true"/>{pins}"#));
        let loaded = load_str_with_warnings(&xml).unwrap_or_else(|errors| panic!("{errors}"));
        assert!(loaded.model.flex_rigid[0] && loaded.model.neq == 0);
        let warned = loaded.warnings.iter().any(|w| w.message.contains("all points are pinned"));
        assert!(warned, "{:?}", loaded.warnings);
    }
}

#[test]
fn discarding_visuals_keeps_texture_coordinates() {
    let m = load_str(&patch("", r#"<edge damping="1"/>"#)).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((m.nflextexcoord, m.flex_texcoordadr[0]), (4, 0));
    assert_eq!(m.flex_elemtexcoord, [0, 1, 2, 0, 2, 3]);
}
