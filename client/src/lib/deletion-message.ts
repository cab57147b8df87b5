/** The one sentence of every deletion, word for word as specified (LIST-21, COMP-31). */
export const deletionMessage = (entity: string) => `${entity} excluído(a) com sucesso.`
