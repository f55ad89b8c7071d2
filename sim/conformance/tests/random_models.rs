//! Generated models: seeds determine them, and most of them are valid. A process of its own, because the soak
//! test checks the memory of the process in which it runs.

use sim_conformance::random::model;

#[test]
fn generated_models_compile() {
    assert_eq!(model(1, true), model(1, true));
    assert_ne!(model(1, false), model(2, false));
    for flex in [false, true] {
        let load = |seed| sim_mjcf::load_str(&model(seed, flex).to_xml());
        let complete = |seed: &u64| model(*seed, flex).parts().is_empty();
        let errors: Vec<_> =
            (0..200).filter(complete).filter_map(|seed| load(seed).err()).collect();
        assert!(errors.len() < 60, "{} of 200: {:?}", errors.len(), errors.first());
    }
}
