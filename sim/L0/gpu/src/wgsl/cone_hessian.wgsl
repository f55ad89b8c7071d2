    // Hessian of contacts in the middle zone of their elliptic cones. Part of a function body: adds the rows to the
    // matrix in memory (HESSIAN_TO_MEMORY) or to the registers of this lane. The Hessian of a cone is the sum of a
    // diagonal matrix and two dyadic products, so that a column of it times J takes one pass over its rows.
    for (var q = 0u; q < ncon; q++) {
        let r = con_row(q);
        if r == NONE || !is_cone_row(r) || !row_affects_dof(r, i) || wu[CONE_STATE + q] != CONE { continue; }
        let p = con_pair(q);
        let dim = ti[PAIR_DIM + p];
        let mu = cone_mu(p);
        let n = w[EFC_JAR + r] * mu;
        // With the scaled residuals u of the tangential rows, and s * J of all rows, in one pass over the rows.
        let normal = mu * J(r, i);
        var t2 = real(0.0);
        var along = real(0.0);
        for (var k = 1u; k < dim; k++) {
            let s = cone_scale(p, k, mu);
            let u = w[EFC_JAR + r + k] * s;
            t2 += u * u;
            along += u * s * J(r + k, i);
        }
        let t = sqrt(t2);
        let dm = w[EFC_D + r] / (mu * mu * (1.0 + mu * mu));
        // Coefficients of u and of s * J in the product of the Hessian and the column of J.
        let radial = mu / t * (n * along / t2 - normal);
        let isotropic = mu * (mu - n / t);
        for (var e = 0u; e < dim; e++) {
            let s = cone_scale(p, e, mu);
            var c = normal - mu / t * along;
            if e > 0u { c = s * (radial * w[EFC_JAR + r + e] + isotropic * J(r + e, i)); }
            c *= dm * s;
#ifdef HESSIAN_TO_MEMORY
            add_row_to_H(i, r + e, c);
#else
#import register_cone_row
#endif
        }
    }
