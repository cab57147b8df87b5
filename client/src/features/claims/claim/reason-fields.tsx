import { asksCategory, REASONS, REFUSAL_REASONS, type RefusalReason } from '@garantia/shared/claims/reasons'
import { EVIDENCE_CATEGORIES, EVIDENCE_CATEGORY } from '@garantia/shared/evidence/category'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { Field } from '../../../ui/form/field.tsx'
import { SelectInput } from '../../../ui/form/inputs.tsx'

const REASON_OPTIONS = REFUSAL_REASONS.map((value) => ({ value, label: REASONS[value].label }))
const CATEGORY_OPTIONS = EVIDENCE_CATEGORIES.map((value) => ({ value, label: EVIDENCE_CATEGORY[value] }))

interface Props {
  reason: UseFormRegisterReturn
  category: UseFormRegisterReturn
  chosen: RefusalReason | ''
  errors: { reason?: string | undefined; category?: string | undefined }
}

/** Why something was not authorised, and of which evidence that speaks. First letters choose in both lists. */
export const ReasonFields = ({ reason, category, chosen, errors }: Props) => (
  <>
    <Field label="Motivo" span={6} isRequired error={errors.reason}>
      {(control) => (
        <SelectInput control={control} field={reason} placeholder="Escolha" options={REASON_OPTIONS} />
      )}
    </Field>
    {chosen !== '' && asksCategory(chosen) && (
      <Field label="Qual evidência" span={6} isRequired error={errors.category}>
        {(control) => (
          <SelectInput control={control} field={category} placeholder="Escolha" options={CATEGORY_OPTIONS} />
        )}
      </Field>
    )}
  </>
)
