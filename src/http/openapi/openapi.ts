import { describeRows } from './openapi-document.ts';
import { ROUTES } from '../routes.ts';

/**
 * Creates the OpenAPI 3.1 document of the HTTP API.
 * @param baseUrl the address of the server that shows it; that of a server with default settings if it is not given
 */
export function openapi(baseUrl?: string): object {
  return describeRows(ROUTES, baseUrl);
}
