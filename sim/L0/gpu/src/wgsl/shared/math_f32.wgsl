// Functions that WGSL provides for f32.
fn sincos(x: real) -> vec2<real> { return vec2<real>(sin(x), cos(x)); }
fn atan2_(y: real, x: real) -> real { return atan2(y, x); }
fn exp_(x: real) -> real { return exp(x); }
fn power(x: real, p: real) -> real {
    if p == 1.0 { return x; }
    if p == 2.0 { return x * x; }
    return pow(x, p);
}
