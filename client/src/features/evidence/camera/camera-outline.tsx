import type { OutlineKind } from './guides.ts'

/** In a picture of 400 × 300. */
const PATHS: Record<OutlineKind, string> = {
  plate: 'M74 110 h252 a8 8 0 0 1 8 8 v64 a8 8 0 0 1 -8 8 h-252 a8 8 0 0 1 -8 -8 v-64 a8 8 0 0 1 8 -8z',
  strip: 'M48 124 h304 a6 6 0 0 1 6 6 v40 a6 6 0 0 1 -6 6 h-304 a6 6 0 0 1 -6 -6 v-40 a6 6 0 0 1 6 -6z',
  dial: 'M200 40 a110 110 0 1 1 -0.1 0z M146 178 h108 a6 6 0 0 1 6 6 v24 a6 6 0 0 1 -6 6 h-108 a6 6 0 0 1 -6 -6 v-24 a6 6 0 0 1 6 -6z',
  car: 'M52 206 v-44 L96 150 L140 104 H254 L300 146 L348 160 v46 H318 A26 26 0 0 1 266 206 H142 A26 26 0 0 1 90 206z M148 146 L164 118 H196 v28z M208 118 H246 L268 146 H208z',
  screen: 'M62 62 h276 a8 8 0 0 1 8 8 v160 a8 8 0 0 1 -8 8 h-276 a8 8 0 0 1 -8 -8 v-160 a8 8 0 0 1 8 -8z',
  label: 'M108 92 h184 a8 8 0 0 1 8 8 v100 a8 8 0 0 1 -8 8 h-184 a8 8 0 0 1 -8 -8 v-100 a8 8 0 0 1 8 -8z',
  corners: 'M60 92 v-40 h50 M290 52 h50 v40 M340 208 v40 h-50 M110 248 h-50 v-40',
}

/** Drawn twice: white above black is seen on every picture. */
export const CameraOutline = ({ kind }: { kind: OutlineKind }) => (
  <svg className="camera-outline" viewBox="0 0 400 300" aria-hidden="true">
    <path className="camera-outline-edge" d={PATHS[kind]} />
    <path d={PATHS[kind]} />
  </svg>
)
