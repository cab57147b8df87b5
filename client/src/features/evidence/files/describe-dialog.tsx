import { Button, DialogBody, DialogFooter, TextArea } from '@blueprintjs/core'
import type { RequiredCategory } from '@garantia/shared/brands/schema'
import type { EvidenceCategory } from '@garantia/shared/evidence/category'
import { DESCRIPTION_MAX, type EvidenceFile } from '@garantia/shared/evidence/schema'
import { useRef, useState } from 'react'
import { Field } from '../../../ui/form/field.tsx'
import { useShortcut } from '../../../ui/keys/shortcut.ts'
import { focusFirstField } from '../../../ui/overlay/dialog-focus.ts'
import { Modal } from '../../../ui/overlay/modal.tsx'
import { submitting, usePress } from '../../../ui/press.ts'
import { EvidenceThumbnail } from '../grid/evidence-thumbnail.tsx'
import { CategorySelect } from './category-select.tsx'
import type { FileChange } from './file-changes.ts'
import './describe-dialog.css'

interface Props {
  /**
   * Empty keeps the dialog closed. It stays mounted so that focus can return to the element that opened it.
   */
  files: readonly EvidenceFile[]
  brand: string
  required: readonly RequiredCategory[]
  onSave: (changes: FileChange[]) => void
  onClose: () => void
}

/** Sets the category of each file; for a single file also its description. */
export function DescribeDialog({ files, ...rest }: Props) {
  const last = useRef(files)
  if (files.length > 0) last.current = files
  const shown = last.current
  const [only, ...others] = shown
  const title = only && others.length === 0 ? only.original_filename : 'Categorias dos arquivos'
  return (
    <Modal isOpen={files.length > 0} title={title} onClose={rest.onClose}>
      <DescribeForm key={shown.map(({ id }) => id).join()} files={shown} {...rest} />
    </Modal>
  )
}

function DescribeForm({ files, brand, required, onSave, onClose }: Props) {
  const [only, ...others] = files
  const isAlone = only !== undefined && others.length === 0
  const [categories, setCategories] = useState(
    () => new Map(files.map(({ id, evidence_category }) => [id, evidence_category ?? ''])),
  )
  const [description, setDescription] = useState(only?.description ?? '')
  const { press, isBusy } = usePress(() =>
    onSave(
      files.map((file) => ({
        file,
        change: {
          evidence_category: (categories.get(file.id) || null) as EvidenceCategory | null,
          ...(isAlone && { description: description.trim() || null }),
        },
      })),
    ),
  )
  useShortcut('mod+enter', press, { worksInFields: true, label: 'Salvar' })
  return (
    <form ref={focusFirstField} onSubmit={submitting(press)}>
      <DialogBody className="describe-body">
        {files.map((file) => (
          <div key={file.id} className="describe-row">
            <EvidenceThumbnail file={file} />
            <Field label={isAlone ? 'Categoria' : file.original_filename}>
              {(control) => (
                <CategorySelect
                  control={control}
                  value={categories.get(file.id) ?? ''}
                  onChange={(category) => setCategories(new Map(categories).set(file.id, category as ''))}
                  brand={brand}
                  required={required}
                />
              )}
            </Field>
          </div>
        ))}
        {isAlone && (
          <Field label="Descrição" help={`${description.length} de ${DESCRIPTION_MAX} caracteres`}>
            {(control) => (
              <TextArea
                {...control}
                value={description}
                onChange={({ currentTarget }) => setDescription(currentTarget.value)}
                maxLength={DESCRIPTION_MAX}
                rows={2}
                fill
              />
            )}
          </Field>
        )}
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text="Cancelar" onClick={onClose} disabled={isBusy} />
            <Button type="submit" intent="primary" text="Salvar" loading={isBusy} />
          </>
        }
      />
    </form>
  )
}
