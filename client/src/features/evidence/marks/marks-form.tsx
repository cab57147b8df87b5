import { Button, ButtonGroup, InputGroup } from '@blueprintjs/core'
import { ArrowTopRightIcon, CircleIcon, EyeOffIcon, FontIcon, TrashIcon, UndoIcon } from '@blueprintjs/icons'
import {
  MARK_TEXT_MAX,
  MARKS_MAX,
  type Mark,
  type MarkKind,
  turnedMark,
} from '@garantia/shared/evidence/marks'
import type { EvidenceFile } from '@garantia/shared/evidence/schema'
import { type KeyboardEvent, type ReactElement, useId, useReducer, useRef, useState } from 'react'
import { messageOf, statusOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { ModalForm } from '../../../ui/form/form-modal.tsx'
import { useShortcut } from '../../../ui/keys/shortcut.ts'
import { MarksStage } from './marks-stage.tsx'
import { joinedMarks, markAfterKey, markInMiddle, marksAfter, roundedMark, startOf } from './marks-state.ts'
import './marks-form.css'

const TOOLS: Record<MarkKind, { label: string; icon: ReactElement }> = {
  arrow: { label: 'Seta', icon: <ArrowTopRightIcon /> },
  circle: { label: 'Círculo', icon: <CircleIcon /> },
  text: { label: 'Texto', icon: <FontIcon /> },
  cover: { label: 'Encobrir', icon: <EyeOffIcon /> },
}
const nameOf = (mark: Mark) =>
  mark.kind === 'text'
    ? `Texto «${mark.text}»`
    : { arrow: 'Seta', circle: 'Círculo', cover: 'Parte encoberta' }[mark.kind]

const namesIn = (list: HTMLElement | null) => [...(list?.querySelectorAll<HTMLElement>('.marks-name') ?? [])]

interface Props {
  file: EvidenceFile
  onSaved: () => void
}

/** Arrows, circles, texts and covered parts over a photo, by mouse, finger or keyboard. */
export function MarksForm({ file, onSaved }: Props) {
  const utils = trpc.useUtils()
  const { mutateAsync: markPhoto } = trpc.conversion.mark.useMutation()
  /** What the server had when these were drawn, on the photo as it came. */
  const [seen, setSeen] = useState<readonly Mark[]>(file.marks)
  const [{ marks, chosen, before }, change] = useReducer(
    marksAfter,
    file.marks.map((mark) => turnedMark(mark, file.rotation)),
    startOf,
  )
  const [kind, setKind] = useState<MarkKind>('arrow')
  const [text, setText] = useState('')
  const [asksForText, setAsksForText] = useState(false)
  const errorId = useId()
  const isTextMissing = asksForText && kind === 'text' && text.trim() === ''
  const textField = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLUListElement>(null)

  const add = (mark: Mark | null) => {
    if (mark) change({ do: 'add', mark })
    else if (kind === 'text' && text.trim() === '') {
      setAsksForText(true)
      textField.current?.focus()
    }
  }
  const remove = (index: number) => {
    change({ do: 'remove', index })
    // The pressed button is gone with its mark.
    requestAnimationFrame(() => {
      const buttons = namesIn(list.current)
      const next = buttons[Math.min(index, buttons.length - 1)]
      ;(next ?? document.querySelector<HTMLElement>('.marks-tools button'))?.focus()
    })
  }
  const handleKeyDown = (index: number, mark: Mark) => (event: KeyboardEvent) => {
    const moved = markAfterKey(mark, event)
    if (!moved && event.key !== 'Delete') return
    event.preventDefault()
    event.stopPropagation()
    if (moved) change({ do: 'change', index, mark: moved })
    else remove(index)
  }
  useShortcut('mod+z', () => change({ do: 'undo' }), { isEnabled: before.length > 0, label: 'Desfazer' })

  const save = async () => {
    const drawn = marks.map((mark) => roundedMark(turnedMark(mark, (360 - file.rotation) % 360)))
    try {
      const saved = await markPhoto({ id: file.id, marks: drawn, seen_marks: [...seen] })
      // What is opened again at once is what was saved.
      utils.evidence.list.setData(
        { order_id: file.order_id },
        (known) =>
          known && {
            ...known,
            evidence_files: known.evidence_files.map((one) =>
              one.id === file.id ? { ...one, marks: saved.marks } : one,
            ),
          },
      )
    } catch (error) {
      if (statusOf(error) === 409) await join(drawn).catch(() => {})
      toast.error({ title: 'Erro ao marcar foto', description: messageOf(error) })
      throw error
    }
    toast.success({
      title: marks.length > 0 ? 'Marcas salvas' : 'Marcas removidas',
      description: file.original_filename,
    })
    onSaved()
    await Promise.all([
      utils.evidence.list.invalidate({ order_id: file.order_id }),
      utils.evidence.one.invalidate({ id: file.id }),
      utils.conversion.report.invalidate({ order_id: file.order_id }),
    ])
  }

  /** Puts what somebody else has drawn meanwhile beside what was drawn here; nothing is saved yet. */
  const join = async (drawn: readonly Mark[]) => {
    const { marks: theirs } = await utils.evidence.one.fetch({ id: file.id }, { staleTime: 0 })
    if (JSON.stringify(theirs) === JSON.stringify(seen)) return
    change({
      do: 'join',
      marks: joinedMarks(seen, drawn, theirs).map((mark) => turnedMark(mark, file.rotation)),
    })
    setSeen(theirs)
  }

  return (
    <ModalForm submitText="Salvar" isDirty={before.length > 0} canSubmit={before.length > 0} onSubmit={save}>
      <div className="marks-form">
        <div className="marks-tools">
          <ButtonGroup>
            {(Object.keys(TOOLS) as MarkKind[]).map((one) => (
              <Button
                key={one}
                variant="minimal"
                icon={TOOLS[one].icon}
                text={TOOLS[one].label}
                active={one === kind}
                aria-pressed={one === kind}
                onClick={() => setKind(one)}
              />
            ))}
          </ButtonGroup>
          {kind === 'text' && (
            <InputGroup
              className="marks-text"
              inputRef={textField}
              aria-label="Texto da marca"
              placeholder="Texto da marca"
              aria-invalid={isTextMissing || undefined}
              aria-describedby={isTextMissing ? errorId : undefined}
              value={text}
              maxLength={MARK_TEXT_MAX}
              onChange={({ currentTarget }) => setText(currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
                event.preventDefault()
                add(markInMiddle(kind, text.trim()))
              }}
            />
          )}
          <Button
            text="Pôr no meio"
            disabled={marks.length >= MARKS_MAX}
            onClick={() => add(markInMiddle(kind, text.trim()))}
          />
          <Button
            icon={<UndoIcon />}
            text="Desfazer"
            disabled={before.length === 0}
            onClick={() => change({ do: 'undo' })}
          />
        </div>
        {isTextMissing && (
          <p id={errorId} className="field-error" role="alert">
            Escreva o texto, e depois aponte na foto
          </p>
        )}
        <MarksStage
          file={file}
          marks={marks}
          chosen={chosen}
          kind={kind}
          text={text.trim()}
          onDraw={add}
          onChoose={(index) => {
            change({ do: 'choose', index })
            // Where its keys are.
            if (index !== null) namesIn(list.current)[index]?.focus({ preventScroll: true })
          }}
          onMove={(index, mark) => change({ do: 'change', index, mark })}
        />
        <p className="marks-note">
          O original fica como veio: as marcas entram na cópia que vai à marca, e o que é encoberto não está
          nela.
        </p>
        {marks.length > 0 && (
          <>
            <p className="marks-note">
              {marks.length === MARKS_MAX && `Máximo de ${MARKS_MAX} marcas por foto. `}
              Setas do teclado movem a marca, Shift com setas muda o tamanho, Del exclui.
            </p>
            <ul ref={list} className="marks-list" aria-label="Marcas">
              {marks.map((mark, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: marks have no other name
                <li key={index}>
                  <Button
                    className="marks-name"
                    variant="minimal"
                    size="small"
                    icon={TOOLS[mark.kind].icon}
                    text={nameOf(mark)}
                    active={index === chosen}
                    aria-pressed={index === chosen}
                    onClick={() => change({ do: 'choose', index })}
                    onFocus={() => change({ do: 'choose', index })}
                    onKeyDown={handleKeyDown(index, mark)}
                  />
                  <Button
                    variant="minimal"
                    size="small"
                    icon={<TrashIcon />}
                    aria-label={`Remover: ${nameOf(mark)}`}
                    title="Remover"
                    onClick={() => remove(index)}
                  />
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </ModalForm>
  )
}
