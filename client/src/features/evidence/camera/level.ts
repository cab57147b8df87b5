import { useEffect, useState } from 'react'

/** Held so that nothing of it is upright, a phone has no horizon: share of gravity along its screen. */
const LEAST_SHARE = 0.35
const GRAVITY = 9.81
/** A horizon within this many degrees is level. */
export const LEVEL_WITHIN = 1.5

/** iOS asks the person, and only after a press. */
interface AskingMotionEvent {
  requestPermission?: () => Promise<'granted' | 'denied'>
}
export const hasMotion = () => 'DeviceMotionEvent' in window
export async function mayReadMotion() {
  const { requestPermission } = DeviceMotionEvent as unknown as AskingMotionEvent
  return !requestPermission || (await requestPermission().catch(() => 'denied')) === 'granted'
}

/** Degrees from -45 to 45 by which the screen, upright or on its side, is turned against the horizon; null when it lies flat. */
export function tiltOf({ x, y }: { x: number | null; y: number | null }) {
  if (x === null || y === null || Math.hypot(x, y) < LEAST_SHARE * GRAVITY) return null
  const angle = (Math.atan2(x, y) * 180) / Math.PI
  return ((((angle + 45) % 90) + 90) % 90) - 45
}

/** The same for this device, while `isOn`; null until it is known. */
export function useTilt(isOn: boolean) {
  const [tilt, setTilt] = useState<number | null>(null)
  useEffect(() => {
    if (!isOn) return
    const read = ({ accelerationIncludingGravity }: DeviceMotionEvent) => {
      if (!accelerationIncludingGravity) return
      const next = tiltOf(accelerationIncludingGravity)
      setTilt(next === null ? null : Math.round(next * 2) / 2)
    }
    window.addEventListener('devicemotion', read)
    return () => {
      window.removeEventListener('devicemotion', read)
      setTilt(null)
    }
  }, [isOn])
  return tilt
}
