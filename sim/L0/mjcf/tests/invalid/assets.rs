//! Invalid attributes of meshes, height fields, textures and materials.

use crate::{Row, asset, model};

pub fn rows() -> Vec<Row> {
    [meshes(), fields(), textures(), models()].into_iter().flatten().collect()
}

fn meshes() -> Vec<Row> {
    asset(&[
        ("mesh without a name", "§<mesh vertex='0 0 0 1 0 0 0 1 0 0 0 1'/>", "\"name\": required"),
        ("mesh without data", "§<mesh name='m'/>", "at least 4 vertices"),
        (
            "three vertices",
            "§<mesh name='m' vertex='0 0 0 1 0 0 0 1 0'/>",
            "at least 4 vertices, found 3",
        ),
        ("half a vertex", "§<mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1 1'/>", "multiple of 3"),
        ("NaN vertex", "<mesh name='m' §vertex='0 0 0 1 0 0 0 1 0 0 0 nan'/>", "`nan`"),
        (
            "half a face",
            "§<mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 2 1 0'/>",
            "multiple of 3",
        ),
        (
            "face index 4 of 4",
            "§<mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 2 4'/>",
            "vertex 4, which is out of range: there are 4",
        ),
        (
            "negative face index",
            "§<mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 2 -1'/>",
            "vertex -1",
        ),
        (
            "short texture coordinates",
            "§<mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1' texcoord='0 0'/>",
            "texcoord",
        ),
        (
            "flat mesh",
            "§<mesh name='m' inertia='exact' vertex='0 0 0 1 0 0 0 1 0 1 1 0' face='0 1 2 1 3 2'/>",
            "inertia=\"shell\"",
        ),
        (
            "mesh inside out",
            "§<mesh name='m' inertia='exact' vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 1 2 0 3 1 0 2 3 1 3 2'/>",
            "inward orientation",
        ),
        (
            "open mesh",
            "§<mesh name='m' inertia='exact' vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 1 2 0 1 3'/>",
            "orientation",
        ),
        (
            "scale of zero",
            "§<mesh name='m' scale='0 0 0' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/>",
            "scale",
        ),
        (
            "hull of three",
            "<mesh name='m' §maxhullvert='3' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/>",
            "at least 4",
        ),
        (
            "unknown inertia",
            "<mesh name='m' §inertia='full' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/>",
            "is not one of",
        ),
        (
            "unknown collider",
            "<mesh name='m' §collider='faces' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/>",
            "is not one of",
        ),
        ("builtin without numbers", "§<mesh name='m' builtin='sphere'/>", "\"params\": required"),
        (
            "builtin with too many numbers",
            "§<mesh name='m' builtin='sphere' params='1 2'/>",
            "params",
        ),
        (
            "unknown builtin",
            "<mesh name='m' §builtin='sfere' params='1'/>",
            "is not one of none, sphere",
        ),
        (
            "builtin and vertices",
            "<mesh name='m' §builtin='sphere' params='1' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/>",
            "combined with `vertex`",
        ),
        (
            "builtin and file",
            "<mesh name='m' §builtin='sphere' params='1' file='a.stl'/>",
            "combined with `file`",
        ),
        ("mesh of an unknown kind", "§<mesh name='m' file='a.xyz'/>", "unsupported content type"),
    ])
}

fn fields() -> Vec<Row> {
    asset(&[
        (
            "field without a name",
            "§<hfield nrow='2' ncol='2' size='1 1 1 1'/>",
            "\"name\": required",
        ),
        ("field without size", "§<hfield name='f' nrow='2' ncol='2'/>", "\"size\": required"),
        (
            "field of no height",
            "§<hfield name='f' nrow='2' ncol='2' size='1 1 0 1'/>",
            "must be positive",
        ),
        ("field without rows", "§<hfield name='f' size='1 1 1 1'/>", "at least one row"),
        (
            "negative rows",
            "§<hfield name='f' nrow='-2' ncol='2' size='1 1 1 1'/>",
            "must be positive",
        ),
        (
            "too few heights",
            "<hfield name='f' nrow='2' ncol='2' size='1 1 1 1' §elevation='1 2 3'/>",
            "expected 4 numbers",
        ),
        (
            "file and rows",
            "§<hfield name='f' nrow='2' ncol='2' size='1 1 1 1' file='a.png'/>",
            "remove `nrow`",
        ),
        (
            "field of an unknown kind",
            "§<hfield name='f' size='1 1 1 1' file='a.ktx'/>",
            "unsupported content type",
        ),
    ])
}

fn textures() -> Vec<Row> {
    asset(&[
        ("texture of nothing", "§<texture name='t'/>", "set `file` or `builtin`"),
        ("pattern without size", "§<texture name='t' builtin='flat'/>", "positive width"),
        (
            "pattern of negative width",
            "§<texture name='t' builtin='flat' width='-4' height='4'/>",
            "positive width",
        ),
        (
            "texture without a name",
            "§<texture type='2d' builtin='flat' width='4' height='4'/>",
            "name",
        ),
        (
            "no channels",
            "§<texture name='t' builtin='flat' width='4' height='4' nchannel='0'/>",
            "must be positive",
        ),
        (
            "one channel",
            "§<texture name='t' builtin='flat' width='4' height='4' nchannel='1'/>",
            "nchannel 3",
        ),
        (
            "long grid",
            "<texture name='t' file='a.png' gridsize='3 4' §gridlayout='.............'/>",
            "at most 12",
        ),
        (
            "short grid",
            "<texture name='t' file='a.png' gridsize='3 4' §gridlayout='.U..'/>",
            "each of the 12 cells",
        ),
        (
            "texture of an unknown kind",
            "§<texture name='t' content_type='image/jpeg' type='2d' file='a.jpg'/>",
            "unsupported content type",
        ),
        ("material without a name", "§<material/>", "\"name\": required"),
        (
            "texture and layers",
            "<texture name='t' builtin='flat' width='4' height='24'/><material name='m' texture='t'>§<layer role='rgb' texture='t'/></material>",
            "role=\"rgb\"",
        ),
        (
            "layer of an unknown role",
            "<material name='m'><layer §role='colour' texture='t'/></material>",
            "is not one of",
        ),
    ])
}

fn models() -> Vec<Row> {
    model(&[(
        "hull of a flat mesh",
        "<mujoco><asset>§<mesh name='m' inertia='shell' vertex='0 0 0 1 0 0 0 1 0 1 1 0' face='0 1 2 1 3 2'/></asset>
<worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>",
        "are coplanar",
    )])
}
