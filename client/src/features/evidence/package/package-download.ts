import { useMutation } from '@tanstack/react-query'
import { useCallback } from 'react'
import { download } from '../../../lib/files.ts'
import { messageOf } from '../../../lib/messages.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { useSingleFlight } from '../../../ui/press.ts'

/** Downloads the package of an order as one ZIP (EVI-23, EVI-24, D-31); that of another one meanwhile. */
export function usePackageDownload() {
  const { mutateAsync, isPending, variables } = useMutation({
    mutationFn: ({ id }: { id: number }) =>
      download(`/evidence/${id}/download-all`, `os_${id}_evidencias.zip`),
    onSuccess: () => toast.success({ title: 'Download concluído' }),
    onError: (error) =>
      toast.error({
        title: 'Erro ao baixar',
        description: messageOf(error, 'Não foi possível baixar o arquivo ZIP'),
      }),
  })
  const { once } = useSingleFlight()
  const fetchPackage = useCallback(
    ({ id }: { id: number }) =>
      void once(String(id), async () => {
        // Its own callback has reported a failure.
        await mutateAsync({ id }).catch(() => undefined)
      }),
    [once, mutateAsync],
  )
  return { fetchPackage, fetchedId: isPending ? variables.id : undefined }
}
