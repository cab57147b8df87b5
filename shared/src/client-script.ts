/** Header of each response: the script that the client of this server starts with, which its content names. */
export const CLIENT_SCRIPT_HEADER = 'x-client-script'
