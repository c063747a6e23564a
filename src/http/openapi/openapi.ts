import { describeRows } from './openapi-document.ts';
import { ROUTES } from '../routes.ts';

/** The OpenAPI 3.1 document of the whole interface. */
export function openapi(): object {
  return describeRows(ROUTES);
}
