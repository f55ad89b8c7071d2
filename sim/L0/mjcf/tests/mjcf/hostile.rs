//! Hostile input: rejected quickly, without a crash or excessive memory.

use sim_mjcf::{load_file, load_str};
use std::fmt::Write;

/// The first error of a model that must not load.
#[track_caller]
fn first_error(xml: &str) -> String {
    load_str(xml).expect_err("the model must not load").as_slice()[0].to_string()
}

fn world(content: &str) -> String {
    format!("<mujoco><worldbody>{content}</worldbody></mujoco>")
}

#[test]
fn nesting_depth_is_bounded_as_in_mujoco() {
    let nested =
        |n: usize| world(&format!("{}<geom size='1'/>{}", "<body>".repeat(n), "</body>".repeat(n)));
    assert!(load_str(&nested(496)).is_ok());
    for n in [497, 10_000] {
        assert!(first_error(&nested(n)).contains("nested deeper than 499 levels"));
    }
    assert!(first_error(&"<body>".repeat(1_000_000)).contains("nested deeper"));
    assert!(
        first_error(&format!("<mujoco>{}", "<default class='a'>".repeat(10_000)))
            .contains("nested deeper")
    );
}

#[test]
fn excessive_sizes_are_rejected_before_allocation() {
    let geom = world("<geom size='1'/>");
    for (attribute, array) in
        [("nuser_geom", "geom_user"), ("nkey", "key_time"), ("nuserdata", "bytes")]
    {
        let size = format!("<mujoco><size {attribute}='2000000000'/>");
        let error = first_error(&geom.replace("<mujoco>", &size));
        assert!(error.starts_with("<string>:1:9: error: <size> "), "{error}");
        assert!(error.contains(array), "{error}");
    }
    // User data of a class is shared by its elements until the model is found too large.
    let class = format!("<mujoco><default><geom user='{}'/></default>", "1 ".repeat(100_000));
    let geoms = world(&"<geom size='1'/>".repeat(50_000)).replace("<mujoco>", &class);
    let error = first_error(&geoms);
    assert!(error.starts_with("<string>:1:1: error: <mujoco> the array geom_user would require"));
    let error = first_error(&world(&"<body/>".repeat(70_000)));
    assert!(error.starts_with("<string>:1:9: error: <worldbody> 70001 bodies exceed the limit"));
}

#[test]
fn long_attributes_and_names_are_parsed_in_linear_time() {
    let numbers = "1 ".repeat(2_000_000);
    assert!(first_error(&world(&format!("<geom size='{numbers}'/>"))).contains("found 2000000"));
    let word = "a".repeat(5_000_000);
    assert!(first_error(&world(&format!("<geom type='{word}'/>"))).len() < 1000);
    assert!(first_error(&world(&format!("<{word}/>"))).contains("unknown element"));
    let custom = |content: &str| format!("<mujoco><custom>{content}</custom></mujoco>");
    for (xml, message) in [
        (
            format!("<mujoco model='{word}'/>"),
            "the value has 5000000 bytes, which exceeds the maximum of 65536",
        ),
        (format!("<mujoco><include file='{word}'/></mujoco>"), "the path has 5000000 bytes"),
        (custom(&format!("<text name='{word}' data='a'/>")), "the value has 5000000 bytes"),
        (
            custom(&format!("<text name='a' data='{word}{word}{word}{word}'/>")),
            "the value has 20000000 bytes, which exceeds the maximum of 16777216",
        ),
        (
            custom(&format!("<numeric name='a' data='{numbers}'/>")),
            "expected at most 500 numbers, found 2000000",
        ),
        (
            world(&format!("<geom size='1' user='{}'/>", "1 ".repeat((1 << 24) + 1))),
            "expected at most 16777216 numbers, found 16777217",
        ),
    ] {
        let error = first_error(&xml);
        assert!(error.contains(message) && error.len() < 1000, "{error:.1000}");
    }
    let fits = &word[..1 << 16];
    assert!(load_str(&format!("<mujoco model='{fits}'/>")).is_ok());
    assert!(load_str(&custom(&format!("<text name='a' data='{word}'/>"))).is_ok());
    let mut many = String::new();
    for i in 0..100_000 {
        let _ = write!(many, " a{i}='1'");
    }
    assert!(first_error(&format!("<mujoco{many}/>")).contains("more than 1000 attributes"));
    let mut classes = String::new();
    for i in 0..100_000 {
        let _ = write!(classes, "<default class='c{i}'/>");
    }
    let classes = format!("<mujoco><default>{classes}</default></mujoco>");
    assert!(first_error(&classes).contains("more than 10000 default classes"));
    // Looked up for each element: 9,000 classes, 100,000 elements.
    let mut classes = String::from("<mujoco><default>");
    for i in 0..9_000 {
        let _ = write!(classes, "<default class='class{i}'/>");
    }
    let sites = "<site class='class8999'/>".repeat(100_000);
    let _ = write!(classes, "</default><worldbody>{sites}</worldbody></mujoco>");
    let start = std::time::Instant::now();
    assert_eq!(load_str(&classes).unwrap().nsite, 100_000);
    assert!(start.elapsed().as_secs() < 10, "{:?}", start.elapsed());
    let unknown = "<exclude body1='aaaa' body2='bbbb'/>".repeat(50_000);
    assert!(
        first_error(&format!("<mujoco><contact>{unknown}</contact></mujoco>"))
            .contains("no body is named")
    );
}

#[test]
fn entities_are_not_expanded() {
    let bomb =
        "<!DOCTYPE b [<!ENTITY a 'aaaaaaaa'><!ENTITY b '&a;&a;&a;&a;'>]><mujoco model='&b;'/>";
    assert!(first_error(bomb).contains("unrecognized entity"));
    assert_eq!(load_str("<mujoco model='a &lt; &#65;'/>").unwrap().names[..6], *b"a < A\0");
}

#[test]
fn extreme_numbers_do_not_panic() {
    for size in ["1e-300", "1e300", "1e-14", "4.9e-324"] {
        for shell in ["true", "false"] {
            for shape in ["sphere", "capsule", "ellipsoid", "cylinder", "box"] {
                let geom = format!(
                    "<geom type='{shape}' size='{size} {size} {size}' shellinertia='{shell}' pos='1e308 0 0'/>"
                );
                let _ = load_str(&world(&format!("<body><joint/>{geom}{geom}</body>")));
            }
        }
    }
    assert!(load_str(&world("<body><joint range='-inf inf'/><geom size='1'/></body>")).is_ok());
}

#[test]
fn special_files_are_rejected() {
    let path = std::env::temp_dir().join(format!("sim-mjcf-{}-large.xml", std::process::id()));
    std::fs::File::create(&path).unwrap().set_len((1 << 30) + 1).unwrap();
    for (file, message) in [
        (path.as_path(), "the file is larger than 1073741824 bytes"),
        (std::path::Path::new("/dev/zero"), "/dev/zero: "),
        (&std::env::temp_dir(), "not a regular file"),
    ] {
        let error = load_file(file).unwrap_err().to_string();
        assert!(error.contains("1:1: error: cannot read the file"), "{error}");
        assert!(error.contains(message), "{error}");
        let included =
            first_error(&format!("<mujoco><include file='{}'/></mujoco>", file.display()));
        assert!(included.contains("1:18: error: <include> attribute"), "{included}");
        assert!(included.contains(message), "{included}");
    }
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn non_utf8_files_are_rejected() {
    let path = std::env::temp_dir().join(format!("sim-mjcf-{}-binary.xml", std::process::id()));
    std::fs::write(&path, b"<mujoco model='\xff\xfe'/>").unwrap();
    let error = load_file(&path).unwrap_err().to_string();
    std::fs::remove_file(&path).unwrap();
    assert!(error.contains("invalid UTF-8 at byte 15"), "{error}");
    assert!(
        load_file("/nonexistent/model.xml")
            .unwrap_err()
            .to_string()
            .contains("cannot read the file")
    );
}

mod properties {
    use proptest::prelude::*;

    proptest! {
        /// A mutated model gives an error or another model, never a crash.
        #[test]
        fn mutated_model_does_not_panic(at in 0usize..600, cut in 0usize..8, noise in "[ -~]{0,6}") {
            let model = super::super::compile::EXAMPLE;
            let at = model.char_indices().map(|(i, _)| i).nth(at % model.chars().count()).unwrap_or(0);
            let end = model[at..].char_indices().map(|(i, _)| at + i).nth(cut).unwrap_or(model.len());
            let damaged = format!("{}{noise}{}", &model[..at], &model[end..]);
            let _ = sim_mjcf::load_str(&damaged);
        }
    }
}

#[test]
fn fusestatic_is_linear_in_the_number_of_bodies() {
    let start = std::time::Instant::now();
    let mut text = "<mujoco><compiler fusestatic='true'/><worldbody>".to_owned();
    for _ in 0..20_000 {
        text += "<body><geom size='1'/><site/><body pos='1 0 0'><site/></body></body>";
    }
    text += "</worldbody></mujoco>";
    let m = load_str(&text).unwrap();
    assert_eq!((m.nbody, m.ngeom, m.nsite), (1, 20_000, 40_000));
    assert!(start.elapsed().as_secs() < 30);
}
