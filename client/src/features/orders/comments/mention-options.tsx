import { counted } from '@garantia/shared/format'
import type { useMention } from './use-mention.ts'

/** The people offered below the field; the focus stays in it. */
export const MentionOptions = ({ mention }: { mention: ReturnType<typeof useMention> }) => (
  <>
    <span role="status" className="visually-hidden">
      {mention.offered.length > 0 &&
        `${counted(mention.offered.length, 'pessoa', 'pessoas')}; setas para escolher`}
    </span>
    {mention.offered.length > 0 && (
      <div id={mention.listId} className="mention-options" role="listbox" aria-label="Pessoas">
        {mention.offered.map((person, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys belong to the field
          <div
            key={person.id}
            id={mention.optionId(index)}
            role="option"
            tabIndex={-1}
            aria-selected={index === mention.at}
            className="mention-option"
            // The field keeps the focus.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => mention.choose(person)}
          >
            {person.full_name}
          </div>
        ))}
      </div>
    )}
  </>
)
