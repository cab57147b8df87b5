import type { RequiredCategory } from '@garantia/shared/brands/schema'
import { EVIDENCE_CATEGORY, type EvidenceCategory } from '@garantia/shared/evidence/category'
import { isFilled } from '@garantia/shared/evidence/category-progress'
import type { EvidenceFile } from '@garantia/shared/evidence/schema'
import { counted } from '@garantia/shared/format'
import type { OrderView } from '@garantia/shared/orders/schema'
import { use, useEffect, useRef, useState } from 'react'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { focusIfOnTitle } from '../../../ui/overlay/dialog-focus.ts'
import { IsDialogOpen, usePress } from '../../../ui/press.ts'
import { reportQuietly } from '../upload/upload-notifications.ts'
import { CameraButtons } from './camera-buttons.tsx'
import { CameraSide } from './camera-side.tsx'
import { cameraSlots, nextMissing, photoName } from './camera-slots.ts'
import { CameraStage } from './camera-stage.tsx'
import { GUIDES } from './guides.ts'
import { type PictureProblem, problemsOfPhoto } from './picture-problems.ts'
import { takePicture } from './take-picture.ts'
import { isComing, type TakenPhoto } from './taken-photos.ts'
import { useCaptureNonces } from './use-capture-nonces.ts'
import { type Shot, useTaken } from './use-taken.ts'
import { useVideoStream } from './video-stream.ts'
import './camera.css'

const PROBLEMS: Record<PictureProblem, string> = {
  blurred: 'A foto parece desfocada.',
  glare: 'Há um reflexo no meio da foto.',
  dark: 'A foto está escura.',
}
/** A press that comes so soon after the buttons have changed was meant for those before; nor is a scene another one so soon. */
const SETTLED_MS = 600
const NO_CAPTURE = { capture_nonce: null, captured_at: null }

interface Props {
  order: OrderView
  files: readonly EvidenceFile[]
  required: readonly RequiredCategory[]
  onClose: () => void
}

/** A photo that waits for an answer, because something is wrong with it. */
interface Doubtful {
  category: EvidenceCategory
  photo: Blob
  at: Date
  url: string
  sentences: readonly string[]
}

export function CameraForm({ order, files, required, onClose }: Props) {
  const dialog = use(IsDialogOpen)
  const element = useRef<HTMLVideoElement>(null)
  const main = useRef<HTMLButtonElement>(null)
  const { video, start } = useVideoStream(element)
  const takeNonce = useCaptureNonces(order.id)
  const { taken, waiting, send, takeBack } = useTaken(order, files)
  const [doubtful, setDoubtful] = useState<Doubtful | null>(null)
  const slotsWith = (more: readonly EvidenceCategory[]) =>
    cameraSlots(required, files, [
      ...taken.filter(isComing).map((photo) => photo.category),
      ...waiting,
      ...more,
    ])
  const slots = slotsWith([])
  const [category, setCategory] = useState<EvidenceCategory>(
    () => nextMissing(slots, null) ?? required[0]?.category ?? 'defeito',
  )
  const [announcement, setAnnouncement] = useState('')
  const label = EVIDENCE_CATEGORY[category]
  const missing = slots.filter((slot) => !isFilled(slot)).map((slot) => slot.category)

  useEffect(() => reportQuietly(order.id), [order.id])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the main button is another one in each of these states
  useEffect(() => focusIfOnTitle(main.current), [video.state])
  const [isSettling, setIsSettling] = useState(false)
  useEffect(() => {
    if (!isSettling) return
    const timer = setTimeout(() => setIsSettling(false), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [isSettling])
  const before = useRef(doubtful)
  useEffect(() => {
    // The pressed button is gone.
    if (before.current !== doubtful) main.current?.focus()
    before.current = doubtful
    return () => {
      if (doubtful) URL.revokeObjectURL(doubtful.url)
    }
  }, [doubtful])

  const latest = useRef({ slotsWith, send })
  latest.current = { slotsWith, send }
  const sendAs = (of: EvidenceCategory, shots: readonly Shot[]) => {
    latest.current.send(of, shots)
    const next = nextMissing(latest.current.slotsWith(shots.map(() => of)), of)
    const done = `${EVIDENCE_CATEGORY[of]}: ${counted(shots.length, 'arquivo em envio', 'arquivos em envio')}.`
    const then =
      next === null ? ' Nada mais falta.' : next === of ? '' : ` Agora: ${EVIDENCE_CATEGORY[next]}.`
    setAnnouncement(done + then)
    setIsSettling(true)
    // Unless somebody has gone elsewhere while the photo was taken.
    if (next !== null) setCategory((now) => (now === of ? next : now))
  }
  const accept = (of: EvidenceCategory, photo: Blob, at: Date) => {
    const file = new File([photo], photoName(of, at), { type: photo.type, lastModified: at.getTime() })
    setDoubtful(null)
    sendAs(of, [{ file, capture: { capture_nonce: takeNonce(), captured_at: at.toISOString() } }])
  }
  const { press: shoot, isBusy } = usePress(async () => {
    if (video.state !== 'on' || !element.current || isSettling) return
    const of = category
    const photo = await takePicture(element.current, video.track).catch(() => null)
    if (!dialog.current) return
    if (!photo) {
      toast.error({ title: 'Erro ao fotografar', description: 'A câmera não deu a foto. Tente de novo.' })
      return
    }
    const at = new Date()
    const problems = await problemsOfPhoto(photo, GUIDES[of].isReflecting === true)
    if (!dialog.current) return
    if (problems.length === 0) return accept(of, photo, at)
    const sentences = problems.map((problem) => PROBLEMS[problem])
    setIsSettling(true)
    setDoubtful({ category: of, photo, at, url: URL.createObjectURL(photo), sentences })
    setAnnouncement(`${sentences.join(' ')} Fotografar de novo?`)
  })
  const repeat = () => {
    setIsSettling(true)
    setDoubtful(null)
    setAnnouncement(`${label}: fotografe de novo.`)
  }
  const { press: takeAgain } = usePress(async (photo: TakenPhoto) => {
    if (!(await takeBack(photo))) return
    setCategory(photo.category)
    setAnnouncement(`${EVIDENCE_CATEGORY[photo.category]}: fotografe de novo.`)
    main.current?.focus()
  })

  return (
    <div className="camera">
      <div className="camera-main">
        <CameraStage
          element={element}
          video={video}
          still={doubtful}
          isTaking={isBusy}
          outline={GUIDES[category].outline}
          onRetry={start}
        />
        <div className="camera-now">
          <h3>{label}</h3>
          <p className="muted">{GUIDES[category].hint}</p>
        </div>
        <CameraButtons
          main={main}
          video={video}
          label={label}
          isNext={missing.length > 0}
          onUse={doubtful && (() => accept(doubtful.category, doubtful.photo, doubtful.at))}
          isSettling={isSettling}
          onRepeat={repeat}
          onShoot={shoot}
          onFiles={(picked) =>
            sendAs(
              category,
              picked.map((file) => ({ file, capture: NO_CAPTURE })),
            )
          }
          onSkip={
            missing.some((one) => one !== category) ? () => setCategory(afterOf(missing, category)) : null
          }
        />
      </div>
      <span className="visually-hidden" role="status">
        {announcement}
      </span>
      <CameraSide
        slots={slots}
        category={category}
        // What is asked about is answered first.
        onCategory={doubtful ? null : setCategory}
        isComplete={missing.length === 0}
        onClose={onClose}
        taken={taken}
        files={files}
        order={order}
        onTakeAgain={takeAgain}
      />
    </div>
  )
}

/** The next one that is missing, skipping this one. */
const afterOf = (missing: readonly EvidenceCategory[], category: EvidenceCategory) =>
  missing[missing.indexOf(category) + 1] ?? missing[0] ?? category
