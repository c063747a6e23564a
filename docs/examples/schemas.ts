import { Ajv2020 } from 'ajv/dist/2020.js';
import { openapi } from '../../src/http/openapi/openapi.ts';
import type { Endpoint } from '../../src/http/endpoint.ts';

type Check = (value: unknown) => boolean;
type Content = { readonly content?: Readonly<Record<string, { readonly schema: object }>> };
type Operation = { readonly requestBody?: Content; readonly responses: Readonly<Record<string, Content>> };
type Document = { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };

const DOCUMENT = openapi() as Document;
const NAME = 'document';
const ajv = new Ajv2020({ strict: false, validateFormats: false, schemas: { [NAME]: DOCUMENT } });

/** Whether a request, and an answer of success, are as the document says. */
export type Checks = { readonly asks: Check; readonly answers: Check };

/** Checks of the bodies of a route by the schemas of the document. */
export function checksOf({ route, status }: Endpoint): Checks {
  const [verb = '', path = ''] = route.split(' ');
  const operation = DOCUMENT.paths[path]?.[verb.toLowerCase()];
  return { asks: checkOf(operation?.requestBody), answers: checkOf(operation?.responses[status]) };
}

/** A check of a JSON body or a form. Without a schema, everything passes. */
function checkOf(body: Content | undefined): Check {
  const schema = Object.entries(body?.content ?? {}).find(([type]) => /json|form/.test(type))?.[1].schema;
  if (schema === undefined) return () => true;
  const validate = ajv.compile(atDocument(schema));
  return (value) => validate(value) === true;
}

function atDocument(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', `"${NAME}#/components/`)) as object;
}
