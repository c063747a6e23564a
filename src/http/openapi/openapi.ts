import { describeRows } from './openapi-document.ts';
import { ROUTES } from '../routes.ts';

/** Creates the OpenAPI 3.1 document of the HTTP API. */
export function openapi(): object {
  return describeRows(ROUTES);
}
