import { Button, TextArea } from '@blueprintjs/core'
import { commentInput, mentionedIn } from '@garantia/shared/orders/comments'
import type { OrderView } from '@garantia/shared/orders/schema'
import { useId, useRef, useState } from 'react'
import { readDraft, useDraft, useDraftKey } from '../../../lib/drafts.ts'
import { trpc } from '../../../lib/trpc.ts'
import { reportFailedSave } from '../../../ui/feedback/failed-save.ts'
import { submitting, useSave } from '../../../ui/press.ts'
import { MentionOptions } from './mention-options.tsx'
import { useMention } from './use-mention.ts'

/** A comment with mentions; Ctrl+Enter sends it. A refused one stays where it is. */
export function CommentForm({ order: { id } }: { order: OrderView }) {
  const utils = trpc.useUtils()
  const field = useRef<HTMLTextAreaElement>(null)
  const key = useDraftKey(`comment-${id}`)
  const [text, setText] = useState(() => readDraft<string>(key) ?? '')
  useDraft(key, text !== '', () => text)
  const [problem, setProblem] = useState<string | null>(null)
  const names = useId()
  const mention = useMention({ order_id: id, field, text, setText, listId: `${names}-lista` })
  const add = trpc.comments.add.useMutation({
    onSuccess: (_, sent) => {
      // What was typed meanwhile is the next comment.
      setText((now) => (now.trim() === sent.comment ? '' : now))
      void utils.comments.list.invalidate({ id })
      void utils.orders.history.invalidate({ id })
    },
    onError: (error) => reportFailedSave('Erro ao comentar', error),
  })
  const { press, isBusy } = useSave(() => {
    const mentions = mentionedIn(text, mention.people).map((person) => person.id)
    const checked = commentInput.safeParse({ id, comment: text, mentions })
    setProblem(checked.error?.issues[0]?.message ?? null)
    if (checked.success) return add.mutateAsync(checked.data)
    field.current?.focus()
  })
  return (
    <form className="comment-form" noValidate onSubmit={submitting(press)}>
      <div className="comment-field">
        <TextArea
          inputRef={field}
          fill
          rows={2}
          aria-label="Comentário"
          aria-describedby={`${names}-ajuda`}
          aria-invalid={problem !== null}
          placeholder="Escreva um comentário; @ menciona uma pessoa"
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value)
            setProblem(null)
            mention.follow()
          }}
          onKeyDown={(event) => {
            if (mention.takeKey(event)) return
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
              event.preventDefault()
              press()
            }
          }}
          onBlur={mention.close}
          {...mention.fieldProps}
        />
        <MentionOptions mention={mention} />
      </div>
      <p id={`${names}-ajuda`} className={problem ? 'field-error' : 'muted'}>
        {problem ?? 'Fica no histórico da OS e não pode ser apagado.'}
      </p>
      <Button type="submit" text="Comentar" loading={isBusy} disabled={text.trim() === ''} />
    </form>
  )
}
