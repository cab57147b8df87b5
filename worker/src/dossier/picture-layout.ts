export interface Size {
  width: number
  height: number
}
export interface Box extends Size {
  x: number
  y: number
}

/** A JPEG in memory, width and height in px. */
export interface Picture extends Size {
  data: Buffer
}

/** A caption beside its picture takes this share of the width. */
const BESIDE = [0.3, 0.42]
/** A caption below its picture leaves at least this share of the height. */
const LEAST_PICTURE = 0.45
/** Points per pixel at most: a small picture does not get larger by being blurred. */
const MOST_SCALE = 1

/**
 * Where a picture and its caption stand in an area, all in points: the caption below or beside, whichever shows
 * the picture larger, and neither cropped. Null when the caption leaves no room for a picture.
 */
export function placePicture(
  area: Box,
  picture: Size,
  captionHeight: (width: number) => number,
  gap: number,
): { picture: Box; caption: Box } | null {
  const places = [below(area, picture, captionHeight, gap)]
  for (const share of BESIDE) places.push(beside(area, picture, captionHeight, gap, share * area.width))
  let best: (typeof places)[number] = null
  for (const place of places)
    if (place && (!best || place.picture.width > best.picture.width * 1.02)) best = place
  return best
}

type Place = ReturnType<typeof placePicture>

function below(area: Box, picture: Size, captionHeight: (width: number) => number, gap: number): Place {
  const words = captionHeight(area.width)
  const room = area.height - words - gap
  if (room < area.height * LEAST_PICTURE) return null
  const shown = fitted(picture, { width: area.width, height: room })
  return {
    picture: { x: area.x, y: area.y, ...shown },
    caption: { x: area.x, y: area.y + shown.height + gap, width: area.width, height: words },
  }
}

function beside(
  area: Box,
  picture: Size,
  captionHeight: (width: number) => number,
  gap: number,
  width: number,
): Place {
  const shown = fitted(picture, { width: area.width - width - gap, height: area.height })
  const left = area.width - shown.width - gap
  const words = captionHeight(left)
  if (words > area.height) return null
  return {
    picture: { x: area.x, y: area.y, ...shown },
    caption: { x: area.x + shown.width + gap, y: area.y, width: left, height: words },
  }
}

/** Points that a dealership's logo may take on a cover, and between it and the text beside it. */
const LOGO_ROOM: Size = { width: 170, height: 64 }
export const LOGO_GAP = 16
/** The size in points at which a logo stands on a cover. */
export const logoSize = (logo: Size): Size => fitted(logo, LOGO_ROOM)

function fitted(picture: Size, room: Size): Size {
  const scale = Math.min(room.width / picture.width, room.height / picture.height, MOST_SCALE)
  return { width: picture.width * scale, height: picture.height * scale }
}
