// DC motors: winding resistance and inductance, back-EMF, winding temperature, a position or velocity controller, LuGre
// friction and cogging torque. Each part with state has an activation.

// Parameter rows and activation addresses of a motor; NONE for parts that are not enabled.
fn dynprm(i: u32, k: u32) -> real { return f(MOTOR_PRM + 30u * ti[ACT_MOTOR + i] + k); }
fn gainprm(i: u32, k: u32) -> real { return f(MOTOR_PRM + 30u * ti[ACT_MOTOR + i] + 10u + k); }
fn biasprm(i: u32, k: u32) -> real { return f(MOTOR_PRM + 30u * ti[ACT_MOTOR + i] + 20u + k); }
fn motor_slot(i: u32, k: u32) -> u32 { return ti[MOTOR_SLOT + 5u * ti[ACT_MOTOR + i] + k]; }
const SLOT_SLEW: u32 = 0u;
const SLOT_INTEGRAL: u32 = 1u;
const SLOT_TEMPERATURE: u32 = 2u;
const SLOT_BRISTLE: u32 = 3u;
const SLOT_CURRENT: u32 = 4u;
const MODE_VOLTAGE: i32 = 0;
const MODE_POSITION: i32 = 1;

fn motor_resistance(i: u32) -> real {
    let slot = motor_slot(i, SLOT_TEMPERATURE);
    if slot == NONE { return gainprm(i, 0u); }
    return gainprm(i, 0u) * (1.0 + gainprm(i, 2u) * (w[ACT + slot] + dynprm(i, 4u) - gainprm(i, 3u)));
}

// Controller output, saturated at the supply voltage.
fn motor_voltage(i: u32, u: real, length: real, velocity: real) -> real {
    var integral = real(0.0);
    let slot = motor_slot(i, SLOT_INTEGRAL);
    if slot != NONE { integral = w[ACT + slot]; }
    let mode = i32(gainprm(i, 8u));
    var voltage = gainprm(i, 4u) * (u - velocity) + gainprm(i, 5u) * (integral - length);
    if mode <= MODE_VOLTAGE { voltage = u; }
    else if mode == MODE_POSITION {
        voltage = gainprm(i, 4u) * (u - length) + gainprm(i, 5u) * integral - gainprm(i, 6u) * velocity;
    }
    let supply = gainprm(i, 7u);
    if supply > 0.0 { return clamp(voltage, -supply, supply); }
    return voltage;
}

// Coefficient of z in the LuGre bristle dynamics.
fn bristle_decay(i: u32, velocity: real) -> real {
    let ratio = velocity / max(biasprm(i, 5u), MINVAL);
    let g = biasprm(i, 3u) + (biasprm(i, 4u) - biasprm(i, 3u)) * exp_(-ratio * ratio);
    return -dynprm(i, 5u) * abs(velocity) / max(g, MINVAL);
}

// Rates of all activations of a motor. Returns the control after the slew-rate limit.
fn motor_rates(i: u32, ctrl: real, length: real, velocity: real) -> real {
    let h = f(TIMESTEP);
    var u = ctrl;
    let slew = motor_slot(i, SLOT_SLEW);
    if slew != NONE {
        let previous = w[ACT + slew];
        u = clamp(u, previous - dynprm(i, 7u) * h, previous + dynprm(i, 7u) * h);
        w[ACT_DOT + slew] = (u - previous) / h;
    }
    let integral = motor_slot(i, SLOT_INTEGRAL);
    if integral != NONE {
        var error = u;
        if i32(gainprm(i, 8u)) == MODE_POSITION { error = u - length; }
        // No further windup beyond the limit.
        let limit = dynprm(i, 8u);
        if limit > 0.0 && w[ACT + integral] >= limit { error = min(error, real(0.0)); }
        else if limit > 0.0 && w[ACT + integral] <= -limit { error = max(error, real(0.0)); }
        w[ACT_DOT + integral] = error;
    }
    let voltage = motor_voltage(i, u, length, velocity);
    let k = gainprm(i, 1u);
    let resistance = motor_resistance(i);
    let current_slot = motor_slot(i, SLOT_CURRENT);
    let temperature = motor_slot(i, SLOT_TEMPERATURE);
    if temperature != NONE {
        var current = (voltage - k * velocity) / resistance;
        if current_slot != NONE { current = w[ACT + current_slot]; }
        w[ACT_DOT + temperature] = (resistance * current * current - w[ACT + temperature] / dynprm(i, 2u)) / dynprm(i, 3u);
    }
    let bristle = motor_slot(i, SLOT_BRISTLE);
    if bristle != NONE { w[ACT_DOT + bristle] = bristle_decay(i, velocity) * w[ACT + bristle] + velocity; }
    if current_slot != NONE {
        let steady = (voltage - k * velocity) / resistance;
        var rate = (steady - w[ACT + current_slot]) / dynprm(i, 0u);
        let limit = dynprm(i, 1u);
        if limit > 0.0 { rate = clamp(rate, -limit, limit); }
        w[ACT_DOT + current_slot] = rate;
    }
    return u;
}

fn motor_next_activation(i: u32, a: u32, rate: real) -> real {
    let h = f(TIMESTEP);
    let act = w[ACT + a];
    if f4(ACT_DYN, i).y == 0.0 { return act; }
    if a == motor_slot(i, SLOT_CURRENT) {
        let tau = max(dynprm(i, 0u), MINVAL);
        return act + rate * tau * (1.0 - exp_(-h / tau));
    }
    if a == motor_slot(i, SLOT_BRISTLE) {
        let velocity = w[ACTUATOR_VELOCITY + i];
        let decay = bristle_decay(i, velocity);
        let factor = exp_(decay * h);
        var integral = h;
        if abs(decay) > MINVAL { integral = (factor - 1.0) / decay; }
        return factor * act + integral * velocity;
    }
    let next = act + h * rate;
    let limit = dynprm(i, 8u);
    if a == motor_slot(i, SLOT_INTEGRAL) && limit > 0.0 { return clamp(next, -limit, limit); }
    return next;
}

// Electrical torque.
fn motor_force(i: u32, ctrl: real, length: real, velocity: real) -> real {
    let u = motor_rates(i, ctrl, length, velocity);
    let k = gainprm(i, 1u);
    let slot = motor_slot(i, SLOT_CURRENT);
    if slot != NONE {
        if ti[ACT_EARLY + i] == 1u { return k * motor_next_activation(i, slot, w[ACT_DOT + slot]); }
        return k * w[ACT + slot];
    }
    let gain = k / max(motor_resistance(i), MINVAL);
    var voltage = u;
    if i32(gainprm(i, 8u)) > MODE_VOLTAGE { voltage = motor_voltage(i, u, length, velocity); }
    return gain * (voltage - k * velocity);
}

// Cogging torque and friction, which are not clamped.
fn motor_mechanical_force(i: u32) -> real {
    var force = real(0.0);
    if biasprm(i, 0u) != 0.0 { force = biasprm(i, 0u) * sincos(biasprm(i, 1u) * transmission(i).x + biasprm(i, 2u)).x; }
    let slot = motor_slot(i, SLOT_BRISTLE);
    if slot != NONE { force -= dynprm(i, 5u) * w[ACT + slot] + dynprm(i, 6u) * w[ACT_DOT + slot]; }
    return force;
}
