// Functions that WGSL does not provide for f64.
fn sincos(x: real) -> vec2<real> {
    // Reduction to a quarter turn (Cody and Waite), then Taylor series.
    let k = round(x * 0.63661977236758134308);
    let t = (x - k * 1.5707963267341256142) - k * 6.0771005065061922e-11;
    let z = t * t;
    let s = t + t * z * (-0.16666666666666666 + z * (8.3333333333333332e-3 + z * (-1.9841269841269841e-4
        + z * (2.7557319223985893e-6 + z * (-2.5052108385441720e-8 + z * (1.6059043836821613e-10
        - z * 7.6471637318198165e-13))))));
    let c = 1.0 + z * (-0.5 + z * (4.1666666666666664e-2 + z * (-1.3888888888888889e-3
        + z * (2.4801587301587302e-5 + z * (-2.7557319223985888e-7 + z * (2.0876756987868099e-9
        + z * (-1.1470745597729725e-11 + z * 4.7794773323873853e-14)))))));
    let q = i32(k) & 3;
    if q == 0 { return vec2<real>(s, c); }
    if q == 1 { return vec2<real>(c, -s); }
    if q == 2 { return vec2<real>(-s, -c); }
    return vec2<real>(-c, s);
}
fn atan2_(y: real, x: real) -> real {
    // Refines the single-precision result by Newton's method.
    var angle = real(atan2(f32(y), f32(x)));
    let r = sqrt(x * x + y * y);
    if r == 0.0 { return angle; }
    for (var k = 0; k < 2; k++) {
        let sc = sincos(angle);
        angle += (y * sc.y - x * sc.x) / r;
    }
    return angle;
}
fn exp_(x: real) -> real {
    // exp(x) = 2^k exp(t), with t between -ln(2)/2 and ln(2)/2.
    let k = round(clamp(x, real(-700.0), real(700.0)) * 1.4426950408889634074);
    let t = (x - k * 0.693147180369123816490) - k * 1.90821492927058770002e-10;
    var sum = real(1.0);
    for (var i = 14; i > 0; i--) { sum = 1.0 + sum * t / real(i); }
    // 2^k by squaring.
    var base = select(real(0.5), real(2.0), k > 0.0);
    for (var n = u32(abs(k)); n > 0u; n >>= 1u) {
        if (n & 1u) == 1u { sum *= base; }
        base *= base;
    }
    return sum;
}
fn power(x: real, p: real) -> real {
    if p == 1.0 { return x; }
    if p == 2.0 { return x * x; }
    var y = real(1.0);
    let whole = i32(p);
    for (var k = 0; k < whole; k++) { y *= x; }
    // Fractional part of the exponent, one binary digit at a time.
    var rest = p - real(whole);
    var root = x;
    for (var k = 0; k < 52 && rest > 0.0; k++) {
        root = sqrt(root);
        rest *= 2.0;
        if rest >= 1.0 { y *= root; rest -= 1.0; }
    }
    return y;
}
