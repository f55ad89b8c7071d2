    // Hessian of contacts in the middle zone of their elliptic cones. Part of a function body: adds the rows to the
    // matrix in memory (HESSIAN_TO_MEMORY) or to the registers of this lane.
    for (var q = 0u; q < ncon; q++) {
        let r = con_row(q);
        if r == NONE || !is_cone_row(r) || !row_affects_dof(r, i) || wu[CONE_STATE + q] != CONE { continue; }
        let p = con_pair(q);
        let dim = ti[PAIR_DIM + p];
        let mu = cone_mu(p);
        let n = w[EFC_JAR + r] * mu;
        var t2 = real(0.0);
        for (var k = 1u; k < dim; k++) { let u = w[EFC_JAR + r + k] * cone_scale(p, k, mu); t2 += u * u; }
        let t = sqrt(t2);
        let dm = w[EFC_D + r] / (mu * mu * (1.0 + mu * mu));
        for (var e = 0u; e < dim; e++) {
            var c = real(0.0);
            for (var l = 0u; l < dim; l++) { c += cone_hessian(p, r, e, l, mu, n, t, dm) * J(r + l, i); }
#ifdef HESSIAN_TO_MEMORY
            add_row_to_H(i, r + e, c);
#else
#import register_cone_row
#endif
        }
    }
