import { useMutation } from '@tanstack/react-query'
import { download } from '../../../lib/files.ts'
import { messageOf } from '../../../lib/messages.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'

/** Downloads the package of an order as one ZIP (EVI-23, EVI-24, D-31). */
export const usePackageDownload = () =>
  useMutation({
    mutationFn: ({ id }: { id: number }) =>
      download(`/evidence/${id}/download-all`, `os_${id}_evidencias.zip`),
    onSuccess: () => toast.success({ title: 'Download concluído' }),
    onError: (error) =>
      toast.error({
        title: 'Erro ao baixar',
        description: messageOf(error, 'Não foi possível baixar o arquivo ZIP'),
      }),
  })
