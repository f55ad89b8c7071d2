//! Options, statistics and visualization settings of a spec, which Python edits as those of a model without elements.

use sim_physics::core::ModelSizes;
use sim_physics::mjcf::spec::{StatisticOverride, VisualAttribute};
use sim_physics::types::Visual;
use sim_physics::{Model, Spec};

/// A model without elements that has the settings of a spec. Statistics that are not given are NaN.
pub fn model(spec: &Spec) -> Model {
    let mut model = Model::with_sizes(&ModelSizes::default());
    model.opt = spec.option.clone();
    let given = &spec.statistic;
    model.stat.meaninertia = given.meaninertia.unwrap_or(f64::NAN);
    model.stat.meanmass = given.meanmass.unwrap_or(f64::NAN);
    model.stat.meansize = given.meansize.unwrap_or(f64::NAN);
    model.stat.extent = given.extent.unwrap_or(f64::NAN);
    model.stat.center = given.center.unwrap_or([f64::NAN, 0.0, 0.0]);
    for VisualAttribute { element, name, value } in &spec.visual {
        let numbers: Vec<f64> = match value.trim() {
            "true" => vec![1.0],
            "false" => vec![0.0],
            text => text.split_whitespace().filter_map(|word| word.parse().ok()).collect(),
        };
        // the reader has validated names and values
        let _ = model.vis.set_field(element, name, &numbers);
    }
    model
}

/// Sets the settings of a spec from those of a model.
pub fn apply(model: &Model, spec: &mut Spec) {
    spec.option = model.opt.clone();
    let given = |x: f64| Some(x).filter(|x| !x.is_nan());
    let center = model.stat.center;
    spec.statistic = StatisticOverride {
        meaninertia: given(model.stat.meaninertia),
        meanmass: given(model.stat.meanmass),
        meansize: given(model.stat.meansize),
        extent: given(model.stat.extent),
        center: Some(center).filter(|c| !c[0].is_nan()),
    };
    let mut defaults = Vec::new();
    Visual::default().visit(&mut |_, _, values| defaults.push(values.to_vec()));
    let mut defaults = defaults.into_iter();
    spec.visual.clear();
    model.vis.visit(&mut |section, name, values| {
        if defaults.next().as_deref() == Some(values) {
            return;
        }
        let value = values.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        let (element, name) = (section.to_owned(), name.to_owned());
        spec.visual.push(VisualAttribute { element, name, value });
    });
}
