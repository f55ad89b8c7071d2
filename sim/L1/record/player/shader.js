// Shaders: lit geoms, shadow map, skybox and selection.

const MAX_LIGHTS = 8;

const VERTEX = `#version 300 es
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 texcoord;
uniform mat4 uModel, uView, uProjection, uShadow;
uniform vec3 uSize;          // scale of the shape along its axes
uniform vec4 uTexture;       // scale of generated texture coordinates, then offset
uniform vec3 uCube;          // scale of cube texture coordinates
uniform int uTexturing;      // 0 none, 1 coordinates of vertices, 2 generated, 3 cube
out vec3 vWorld, vNormal, vTexcoord;
out vec4 vShadow;
void main() {
  vec4 world = uModel * vec4(position, 1.0);
  vWorld = world.xyz;
  vNormal = mat3(uModel) * (normal / (uSize * uSize));
  vShadow = uShadow * world;
  if (uTexturing == 1) vTexcoord = vec3(texcoord, 0.0);
  else if (uTexturing == 2) vTexcoord = vec3(position.xy * uTexture.xy + uTexture.zw, 0.0);
  else vTexcoord = position * uCube;
  gl_Position = uProjection * uView * world;
}`;

// Ambient, diffuse and Blinn–Phong specular terms of each light, as in OpenGL's fixed pipeline.
const FRAGMENT = `#version 300 es
precision highp float;
precision highp int;
precision highp sampler2DShadow;
const int MAX_LIGHTS = ${MAX_LIGHTS};
uniform vec4 uColor, uMaterial;  // emission, specular, shininess exponent, reflectance
uniform vec3 uEye;
uniform int uLights, uShadowLight, uTexturing;
uniform vec4 uLightPos[MAX_LIGHTS];     // w = 0: direction to the light
uniform vec4 uLightDir[MAX_LIGHTS];     // direction of a spot light and the cosine of its cutoff
uniform vec4 uLightFall[MAX_LIGHTS];    // attenuation, exponent of a spot light
uniform vec3 uAmbient[MAX_LIGHTS], uDiffuse[MAX_LIGHTS], uSpecular[MAX_LIGHTS];
uniform sampler2DShadow uShadowMap;
uniform sampler2D uImage;
uniform samplerCube uCubeImage;
uniform vec4 uGrid;                     // spacing, opacity, start and end of the fade
uniform vec3 uGridOrigin;
uniform float uShadowTexel;
in vec3 vWorld, vNormal, vTexcoord;
in vec4 vShadow;
out vec4 color;

float lit() {
  vec3 s = vShadow.xyz / vShadow.w * 0.5 + 0.5;
  if (vShadow.w <= 0.0 || any(lessThan(s, vec3(0.0))) || any(greaterThan(s, vec3(1.0)))) return 1.0;
  float sum = 0.0;
  for (int i = -1; i <= 1; i++)
    for (int j = -1; j <= 1; j++)
      sum += texture(uShadowMap, vec3(s.xy + vec2(i, j) * uShadowTexel, s.z));
  return sum / 9.0;
}

float gridLine(float spacing) {
  vec2 at = (vWorld.xy - uGridOrigin.xy) / spacing;
  vec2 width = fwidth(at);
  vec2 line = 1.0 - smoothstep(vec2(0.5), vec2(1.5), abs(fract(at - 0.5) - 0.5) / width);
  return max(line.x, line.y) * (1.0 - smoothstep(0.1, 0.5, max(width.x, width.y)));
}

void main() {
  vec4 base = uColor;
  if (uTexturing == 1 || uTexturing == 2) base *= texture(uImage, vTexcoord.xy);
  else if (uTexturing == 3) base *= texture(uCubeImage, vTexcoord);
  vec3 n = normalize(vNormal);
  vec3 toEye = normalize(uEye - vWorld);
  if (!gl_FrontFacing) n = -n;
  vec3 sum = base.rgb * uMaterial.x;
  if (uLights == 0) sum += base.rgb * (0.3 + 0.7 * max(dot(n, toEye), 0.0));
  for (int i = 0; i < MAX_LIGHTS; i++) {
    if (i >= uLights) break;
    vec3 toLight = uLightPos[i].xyz;
    float factor = 1.0;
    if (uLightPos[i].w != 0.0) {
      toLight -= vWorld;
      float d = length(toLight);
      factor = 1.0 / max(uLightFall[i].x + uLightFall[i].y * d + uLightFall[i].z * d * d, 1e-6);
    }
    toLight = normalize(toLight);
    if (uLightDir[i].w >= -1.0) {
      float cosine = dot(-toLight, uLightDir[i].xyz);
      // a soft edge of the cone of a spot light
      factor *= smoothstep(uLightDir[i].w - 0.02, uLightDir[i].w + 0.02, cosine);
      if (uLightFall[i].w > 0.0) factor *= pow(max(cosine, 0.0), uLightFall[i].w);
    }
    float diffuse = max(dot(n, toLight), 0.0);
    vec3 term = diffuse * base.rgb * uDiffuse[i];
    if (diffuse > 0.0) {
      float highlight = max(dot(n, normalize(toLight + toEye)), 0.0);
      term += pow(highlight, max(uMaterial.z, 0.001)) * uMaterial.y * uSpecular[i];
    }
    if (i == uShadowLight) term *= lit();
    sum += factor * (base.rgb * uAmbient[i] + term);
  }
  float alpha = base.a;
  if (uGrid.x > 0.0) {
    float line = max(0.5 * gridLine(uGrid.x), gridLine(5.0 * uGrid.x));
    float bright = dot(sum, vec3(0.3, 0.6, 0.1)) > 0.5 ? 0.0 : 1.0;
    sum = mix(sum, vec3(bright), uGrid.y * line);
  }
  if (uGrid.w > 0.0) alpha *= 1.0 - smoothstep(uGrid.z, uGrid.w, length(vWorld - uEye));
  color = vec4(clamp(sum, 0.0, 1.0), alpha);
}`;

const DEPTH_FRAGMENT = `#version 300 es
precision mediump float;
void main() {}`;

const PICK_FRAGMENT = `#version 300 es
precision mediump float;
uniform vec4 uColor;
out vec4 color;
void main() { color = uColor; }`;

const SKY_VERTEX = `#version 300 es
uniform mat4 uInverse;
out vec3 vDirection;
void main() {
  vec2 p = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
  vec4 far = uInverse * vec4(p, 1.0, 1.0), near = uInverse * vec4(p, -1.0, 1.0);
  vDirection = far.xyz / far.w - near.xyz / near.w;
  gl_Position = vec4(p, 1.0, 1.0);
}`;

// The cube texture of a skybox has its y axis upwards. Without one, the colours of the page are used.
const SKY_FRAGMENT = `#version 300 es
precision highp float;
uniform samplerCube uCubeImage;
uniform bool uHasImage;
uniform vec3 uHigh, uLow;
in vec3 vDirection;
out vec4 color;
void main() {
  vec3 d = normalize(vDirection);
  if (uHasImage) color = vec4(texture(uCubeImage, vec3(d.x, d.z, -d.y)).rgb, 1.0);
  else color = vec4(mix(uLow, uHigh, smoothstep(-0.1, 0.7, d.z)), 1.0);
}`;

function makeProgram(gl, vertex, fragment) {
  const program = gl.createProgram();
  for (const [type, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
  const uniforms = {};
  const count = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS);
  for (let i = 0; i < count; i++) {
    const { name } = gl.getActiveUniform(program, i);
    uniforms[name.replace("[0]", "")] = gl.getUniformLocation(program, name);
  }
  return { program, uniforms };
}
