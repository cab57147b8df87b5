import { Button, Callout, DialogBody, DialogFooter } from '@blueprintjs/core'
import type { BrandFile, BrandImportResult } from '@garantia/shared/brands/file'
import { counted } from '@garantia/shared/format'
import { useState } from 'react'
import { messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { Badge } from '../../../ui/feedback/badge.tsx'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { FileButton } from '../../../ui/form/file-button.tsx'
import { Modal } from '../../../ui/overlay/modal.tsx'
import { usePress } from '../../../ui/press.ts'
import { changeLines } from '../../people/settings/audit-labels.ts'
import { readBrandFile } from './brand-file.ts'

interface Props {
  isOpen: boolean
  onClose: () => void
}

/** Imports rules of brands: first what the file would change, line by line, then the change. */
export const BrandImport = ({ isOpen, onClose }: Props) => (
  <Modal isOpen={isOpen} title="Importar regras de marcas" width="wide" onClose={onClose}>
    <BrandImportSteps onClose={onClose} />
  </Modal>
)

const MOST_PROBLEMS = 20

function BrandImportSteps({ onClose }: Pick<Props, 'onClose'>) {
  const [chosen, setChosen] = useState<{ name: string; file?: BrandFile; problems?: string[] }>()
  const utils = trpc.useUtils()
  const dry = trpc.brands.import.useMutation()
  const real = trpc.brands.import.useMutation({
    onSuccess({ lines }) {
      const count = lines.filter(({ outcome }) => outcome !== 'same').length
      void utils.brands.invalidate()
      void utils.evidence.invalidate()
      toast.success({
        title: 'Regras importadas',
        description: counted(count, 'marca criada ou alterada', 'marcas criadas ou alteradas'),
      })
      onClose()
    },
    onError: (error) => toast.error({ title: 'Erro ao importar regras', description: messageOf(error) }),
  })
  const reading = usePress(async (picked: File) => {
    dry.reset()
    const found = readBrandFile(await picked.text())
    setChosen({ name: picked.name, ...found })
    if (found.file) await dry.mutateAsync({ dry_run: true, file: found.file })
  })
  const lines = dry.data?.lines
  const { press, isBusy } = usePress(
    () =>
      chosen?.file &&
      lines &&
      real.mutateAsync({
        dry_run: false,
        file: chosen.file,
        versions: Object.fromEntries(lines.map(({ code, version }) => [code, version])),
      }),
  )
  const hasChanges = lines?.some(({ outcome }) => outcome !== 'same') === true
  const { problems = [] } = chosen ?? {}
  return (
    <>
      <DialogBody>
        <div className="brand-import">
          <p className="brand-change-name">
            <FileButton
              label="Arquivo de regras"
              text="Escolher arquivo JSON"
              accept=".json,application/json"
              isBusy={reading.isBusy}
              onPick={reading.press}
            />
            <span role="status">{chosen?.name}</span>
          </p>
          {problems.length > 0 && (
            <Callout intent="danger" compact title="O arquivo não foi aceito" role="alert">
              <ul className="brand-problems">
                {problems.slice(0, MOST_PROBLEMS).map((problem) => (
                  <li key={problem}>{problem}</li>
                ))}
                {problems.length > MOST_PROBLEMS && (
                  <li>
                    <details>
                      <summary>e mais {problems.length - MOST_PROBLEMS}</summary>
                      <ul className="brand-problems">
                        {problems.slice(MOST_PROBLEMS).map((problem) => (
                          <li key={problem}>{problem}</li>
                        ))}
                      </ul>
                    </details>
                  </li>
                )}
              </ul>
            </Callout>
          )}
          {dry.error && (
            <Callout intent="danger" compact role="alert">
              {messageOf(dry.error)}
            </Callout>
          )}
          {lines && <ImportLines lines={lines} />}
        </div>
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text="Cancelar" disabled={isBusy} onClick={onClose} />
            <Button
              intent="primary"
              text="Importar"
              disabled={!hasChanges}
              loading={isBusy}
              onClick={press}
            />
          </>
        }
      >
        <span role="status">{lines && !hasChanges && 'Nada a mudar: as regras já são estas.'}</span>
      </DialogFooter>
    </>
  )
}

const OUTCOME = {
  created: { text: 'Nova', colour: 'green' },
  changed: { text: 'Muda', colour: 'yellow' },
  same: { text: 'Igual', colour: 'gray' },
} as const

const ImportLines = ({ lines }: Pick<BrandImportResult, 'lines'>) => (
  <ul className="brand-changes" aria-label="O que mudaria">
    {lines.map(({ code, display_name, outcome, changes }) => (
      <li key={code}>
        <p className="brand-change-name">
          <strong>{display_name}</strong>
          <span className="muted">{code}</span>
          <Badge colour={OUTCOME[outcome].colour}>{OUTCOME[outcome].text}</Badge>
        </p>
        {outcome === 'changed' && (
          <ul className="muted">
            {changeLines({ kind: 'changed', changes }).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        )}
      </li>
    ))}
  </ul>
)
