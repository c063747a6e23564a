/** The address of a server that runs with its default settings. */
export const DEFAULT_URL = 'http://localhost:3000';

/** The entry of a server in the document. Clients use its address unless they choose another one. */
export function serverEntry(baseUrl: string) {
  const variable = { default: baseUrl, description: 'Address of the server, without a slash at its end.' };
  return { url: '{base_url}', description: 'The server that serves this document', variables: { base_url: variable } };
}
