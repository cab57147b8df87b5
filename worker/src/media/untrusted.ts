import type { FormatName } from '@garantia/shared/evidence/formats'

const DEMUXER: Partial<Record<FormatName, string>> = {
  mp4: 'mov',
  mov: 'mov',
  '3gp': 'mov',
  mkv: 'matroska',
  webm: 'matroska',
  avi: 'avi',
  wmv: 'asf',
}

/**
 * Codecs that phones, cameras and scanners record; the hundreds of other decoders would only add attack
 * surface.
 */
const DECODERS = [
  ...['h264', 'hevc', 'av1', 'libdav1d', 'libaom-av1', 'vp8', 'vp9', 'libvpx', 'libvpx-vp9'],
  ...['mpeg4', 'mpeg2video', 'mpeg1video', 'h263', 'h263i', 'flv', 'mjpeg', 'mjpegb', 'prores', 'dvvideo'],
  ...[
    'msmpeg4v1',
    'msmpeg4v2',
    'msmpeg4',
    'wmv1',
    'wmv2',
    'wmv3',
    'vc1',
    'rawvideo',
    'cinepak',
    'theora',
    'svq3',
  ],
  ...[
    'aac',
    'aac_latm',
    'mp3',
    'mp3float',
    'mp2',
    'mp2float',
    'ac3',
    'eac3',
    'alac',
    'flac',
    'opus',
    'libopus',
  ],
  ...[
    'vorbis',
    'amrnb',
    'amrwb',
    'libopencore_amrnb',
    'libopencore_amrwb',
    'wmav1',
    'wmav2',
    'wmapro',
    'wmavoice',
  ],
  ...['pcm_s16le', 'pcm_s16be', 'pcm_s24le', 'pcm_s24be', 'pcm_s32le', 'pcm_f32le', 'pcm_u8', 'pcm_s8'],
  ...['pcm_alaw', 'pcm_mulaw', 'adpcm_ima_wav', 'adpcm_ima_qt', 'adpcm_ms', 'gsm', 'gsm_ms'],
]

/** Limits in pixels, an 8K frame: beyond it the decoder alone would exhaust the machine's memory. */
export const MAX_VIDEO_SIDE = 8192
export const MAX_VIDEO_PIXELS = 8192 * 4608

/**
 * ffmpeg flags before an untrusted input. The demuxer is named, because an ffmpeg left to guess opens HLS and
 * ffconcat texts named .mp4 and reads the files they point to; the whitelists repeat it for nested inputs.
 * Throws a plain Error for a format that is no video.
 */
export function untrustedInputFlags(format: FormatName): string[] {
  const demuxer = DEMUXER[format]
  if (!demuxer) throw new Error(`No demuxer for ${format}`)
  return [
    ...['-protocol_whitelist', 'file', '-format_whitelist', demuxer, '-f', demuxer],
    ...['-codec_whitelist', DECODERS.join(','), '-max_pixels', String(MAX_VIDEO_PIXELS)],
  ]
}
