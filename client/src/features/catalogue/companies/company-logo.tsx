import { Button } from '@blueprintjs/core'
import { LOGO_FORMATS, LOGO_HELP } from '@garantia/shared/companies/logo'
import type { CompanyDetail } from '@garantia/shared/companies/schema'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { sendFile } from '../../../lib/files.ts'
import { trpc } from '../../../lib/trpc.ts'
import { reportFailedSave } from '../../../ui/feedback/failed-save.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { FileButton } from '../../../ui/form/file-button.tsx'
import { usePress } from '../../../ui/press.ts'

const ACCEPTED = LOGO_FORMATS.map((format) => `image/${format}`).join(',')

function useLogoReport(title: string) {
  const utils = trpc.useUtils()
  return {
    onSuccess: (row: CompanyDetail) => {
      utils.companies.one.setData({ id: row.id }, row)
      toast.success({ title })
    },
    onError: (error: unknown) => reportFailedSave('Erro no logotipo', error),
  }
}

/** Returns what sends a picture as the logo of a company, and reports it. */
export const useLogoUpload = () =>
  useMutation({
    mutationFn: ({ id, picture }: { id: number; picture: File }) =>
      sendFile<CompanyDetail>(`/companies/${id}/logo`, picture),
    ...useLogoReport('Logotipo salvo'),
  }).mutateAsync

/** The logo of a company, which is saved at once: the form around it knows nothing of it. */
export function CompanyLogo({ company: { id, logo_url } }: { company: CompanyDetail }) {
  const send = useLogoUpload()
  const removal = trpc.companies.removeLogo.useMutation(useLogoReport('Logotipo removido'))
  const save = usePress((picture: File) => send({ id, picture }))
  const remove = usePress(() => removal.mutateAsync({ id }))
  return (
    <LogoField text={logo_url ? 'Trocar imagem' : 'Escolher imagem'} isBusy={save.isBusy} onPick={save.press}>
      {logo_url && (
        <>
          <img className="company-logo-picture bp6-light" src={logo_url} alt="Logotipo atual" />
          <Button
            variant="minimal"
            intent="danger"
            text="Remover logotipo"
            loading={remove.isBusy}
            onClick={remove.press}
          />
        </>
      )}
    </LogoField>
  )
}

/** The logo of a company that does not exist yet: it is sent once the form is saved. */
export const NewCompanyLogo = ({
  picture,
  onPick,
}: {
  picture: File | null
  onPick: (file: File) => void
}) => (
  <LogoField text={picture ? 'Trocar imagem' : 'Escolher imagem'} onPick={onPick}>
    {picture && <span role="status">{picture.name}</span>}
  </LogoField>
)

interface FieldProps {
  text: string
  isBusy?: boolean
  onPick: (file: File) => void
  /** What was chosen. */
  children: ReactNode
}
function LogoField({ text, isBusy = false, onPick, children }: FieldProps) {
  const id = useId()
  return (
    <div className="field span-12">
      <label className="field-label" htmlFor={id}>
        Logotipo
      </label>
      <div className="company-logo">
        <FileButton id={id} label="Logotipo" text={text} accept={ACCEPTED} isBusy={isBusy} onPick={onPick} />
        {children}
      </div>
      <div className="field-help">{LOGO_HELP}</div>
    </div>
  )
}
