import { Button } from '@blueprintjs/core'
import { NAMING_TOKENS, namingExample, namingProblem } from '@garantia/shared/brands/naming'
import { IMAGE_FORMATS, VIDEO_FORMATS } from '@garantia/shared/brands/schema'
import { EVIDENCE_CATEGORIES, EVIDENCE_CATEGORY } from '@garantia/shared/evidence/category'
import { Controller, useWatch } from 'react-hook-form'
import { Field } from '../../../ui/form/field.tsx'
import { SelectInput, TextInput } from '../../../ui/form/inputs.tsx'
import { CheckList, SwitchInput } from '../../../ui/form/toggles.tsx'
import type { BrandFormState } from './brand-form-schema.ts'
import { firstMessage } from './brand-form-schema.ts'

interface GroupProps {
  form: BrandFormState
}

const LIMITS = [
  { name: 'max_file_size_mb', label: 'Tamanho total (MB)', isRequired: true },
  { name: 'max_evidence_count', label: 'Máximo de arquivos', isRequired: true },
  { name: 'max_video_count', label: 'Máximo de vídeos', isRequired: true },
  { name: 'max_video_seconds', label: 'Duração de vídeo (s)', help: 'Em branco: sem limite.' },
  { name: 'image_max_px', label: 'Lado maior da foto (px)', help: 'Em branco: 2048.' },
  { name: 'max_powerpoint_size_mb', label: 'PowerPoint (MB)', help: 'Em branco: a marca não usa.' },
] as const

export function LimitFields({ form: { register, formState } }: GroupProps) {
  const { errors } = formState
  return (
    <>
      <Field label="Nome da marca" isRequired error={errors.display_name?.message}>
        {(control) => <TextInput control={control} field={register('display_name')} />}
      </Field>
      <h3 className="brand-section">Limites do pacote</h3>
      {LIMITS.map(({ name, label, ...rest }) => (
        <Field key={name} label={label} span={4} error={errors[name]?.message} {...rest}>
          {(control) => <TextInput control={control} field={register(name)} inputMode="numeric" />}
        </Field>
      ))}
    </>
  )
}

const FORMATS = [
  { name: 'accepted_image_formats', legend: 'Formatos de imagem', known: IMAGE_FORMATS },
  { name: 'accepted_video_formats', legend: 'Formatos de vídeo', known: VIDEO_FORMATS },
] as const

/** The order of the accepted formats matters: a conversion writes the first one it supports. */
export const FormatFields = ({ form: { control, formState } }: GroupProps) => (
  <>
    <h3 className="brand-section">Formatos aceitos</h3>
    {FORMATS.map(({ name, legend, known }) => (
      <Controller
        key={name}
        control={control}
        name={name}
        render={({ field }) => (
          <CheckList
            legend={legend}
            error={firstMessage(formState.errors[name])}
            options={known.map((format) => ({ value: format as string, label: format.toUpperCase() }))}
            value={field.value}
            onChange={field.onChange}
          />
        )}
      />
    ))}
  </>
)

/** The example is recomputed on every keystroke by the same rule that names the files on the server. */
export function NamingField({ form }: GroupProps) {
  const { register, control, setValue, setFocus, formState } = form
  const [template, brand] = useWatch({ control, name: ['naming_template', 'display_name'] })
  const isSound = namingProblem(template) === null
  const insert = (token: string) => {
    setValue('naming_template', `${template}{${token}}`, { shouldDirty: true, shouldValidate: true })
    setFocus('naming_template')
  }
  return (
    <>
      <h3 className="brand-section">Nome dos arquivos</h3>
      <Field
        label="Modelo de nome"
        isRequired
        error={formState.errors.naming_template?.message}
        help={
          <output className="naming-example">
            {isSound ? (
              <>
                Exemplo: <code>{namingExample(template, brand)}</code>
              </>
            ) : (
              'Exemplo: —'
            )}
          </output>
        }
      >
        {(control) => <TextInput control={control} field={register('naming_template')} maxLength={200} />}
      </Field>
      <fieldset className="toggles-group">
        <legend className="visually-hidden">Variáveis do modelo</legend>
        <div className="naming-tokens">
          {NAMING_TOKENS.map((token) => (
            <Button
              key={token}
              size="small"
              text={`{${token}}`}
              aria-label={`Inserir {${token}}`}
              onClick={() => insert(token)}
            />
          ))}
        </div>
      </fieldset>
    </>
  )
}

export const RequiredFields = ({ form: { register, formState } }: GroupProps) => {
  const error = firstMessage(formState.errors.required_categories)
  return (
    <>
      <h3 className="brand-section">Evidências exigidas</h3>
      <fieldset className="toggles-group">
        <legend className="field-label">Quantas de cada; em branco, nenhuma</legend>
        <div className="brand-required">
          {EVIDENCE_CATEGORIES.map((category) => (
            <label key={category}>
              {EVIDENCE_CATEGORY[category]}
              <input
                className="bp6-input"
                inputMode="numeric"
                autoComplete="off"
                placeholder="—"
                {...register(`required_categories.${category}`)}
              />
            </label>
          ))}
        </div>
        {error && (
          <div className="field-error" role="alert">
            {error}
          </div>
        )}
      </fieldset>
    </>
  )
}

const POLICIES = [
  { value: 'avisar', label: 'Avisar e perguntar' },
  { value: 'bloquear', label: 'Bloquear' },
]

export function SubmissionFields({ form, wasSample }: GroupProps & { wasSample: boolean }) {
  const { register, formState } = form
  const { errors } = formState
  return (
    <>
      <h3 className="brand-section">Envio e guarda</h3>
      <Field label="Sistema de envio" span={6} error={errors.submission_system?.message}>
        {(control) => <TextInput control={control} field={register('submission_system')} />}
      </Field>
      <Field label="Endereço do sistema" span={6} error={errors.submission_url?.message}>
        {(control) => (
          <TextInput control={control} field={register('submission_url')} placeholder="https://" />
        )}
      </Field>
      <Field
        label="Processamento (s)"
        span={4}
        help="Em branco: não especificado."
        error={errors.processing_time_seconds?.message}
      >
        {(control) => (
          <TextInput control={control} field={register('processing_time_seconds')} inputMode="numeric" />
        )}
      </Field>
      <Field
        label="Retenção (meses)"
        span={4}
        help="Em branco: guardar sempre."
        error={errors.storage_retention_months?.message}
      >
        {(control) => (
          <TextInput control={control} field={register('storage_retention_months')} inputMode="numeric" />
        )}
      </Field>
      <Field label="Concluir OS com pendências" span={4} error={errors.completion_policy?.message}>
        {(control) => (
          <SelectInput
            control={control}
            field={register('completion_policy')}
            placeholder="Selecione"
            options={POLICIES}
          />
        )}
      </Field>
      <SwitchInput
        field={register('auto_convert')}
        label="Converter automaticamente após o envio"
        error={errors.auto_convert?.message}
      />
      <SwitchInput
        field={register('keep_gps')}
        label="Manter a localização (GPS) nas fotos convertidas"
        error={errors.keep_gps?.message}
      />
      {wasSample && (
        <SwitchInput
          field={register('is_sample')}
          label="Valores de exemplo"
          help="Desligue depois de conferir os valores com a montadora."
          error={errors.is_sample?.message}
        />
      )}
    </>
  )
}
