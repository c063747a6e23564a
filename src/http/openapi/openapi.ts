import { describeRows } from './openapi-document.ts';
import { ROUTES } from '../routes.ts';

/** Creates the OpenAPI 3.1 document of the HTTP API. That takes half a second, so servers read it from `docs/openapi.json`. */
export function openapi(): object {
  return describeRows(ROUTES);
}
