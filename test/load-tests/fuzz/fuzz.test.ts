import { expect, test } from 'vitest';
import { parseOptions } from '../../../load-tests/fuzz.ts';
import { bindingsOf, type OpenApi } from '../../../load-tests/fuzz/dictionaries.ts';
import { addLine, judge, lastLine, noFindings, type RoleReport } from '../../../load-tests/fuzz/report.ts';

/** An event of Schemathesis: one case with this status, and the title of its failed check. */
function eventOf(status: number, failure: string | null): string {
  const check = { name: 'any', status: failure === null ? 'success' : 'failure' };
  const info = failure === null ? {} : { failure_info: { failure: { title: failure } } };
  const recorder = {
    label: 'GET /deliveries/{id}',
    cases: { a: { value: { method: 'get', path: '/deliveries/{id}' } } },
    checks: { a: [{ ...check, ...info }] },
    interactions: { a: { request: { uri: 'http://localhost/', headers: {} }, response: { status_code: status } } },
  };
  return JSON.stringify({ ScenarioFinished: { recorder } });
}

function reportOf(lines: readonly string[]): RoleReport {
  const found = noFindings();
  for (const line of lines) addLine(found, line);
  return { ...found, role: 'vendor', allowed: new Set(['GET /deliveries/{id}', 'GET /deliveries']), seconds: 1 };
}

test('[H323] a fuzz run fails for a failed check, a status 500, a broken run and too few cases', () => {
  const sound = eventOf(200, null);
  expect(judge([reportOf([sound, sound])], 2).problems).toEqual([]);
  expect(judge([reportOf([sound])], 2).problems).toEqual(['vendor: 1 cases, at least 2 are needed']);
  const failed = judge([reportOf([eventOf(400, 'Valid data refused'), sound])], 0);
  expect(failed.problems).toEqual(['vendor: GET /deliveries/{id}: Valid data refused']);
  expect(lastLine(failed)).toMatch(/^failed: 1 problems in 2 cases/);
  expect(judge([reportOf([eventOf(500, null)])], 0).problems).toEqual(['vendor: 1 answers with status 500']);
  expect(judge([reportOf([JSON.stringify({ FatalError: { message: 'x' } })])], 0).problems).toHaveLength(1);
});

test('[H323] the report names the allowed operations that never succeeded', () => {
  const [role] = judge([reportOf([eventOf(200, null), eventOf(404, null)])], 0).roles;
  expect(role).toMatchObject({ allowed: 2, succeeded: 1, success: 0.5, neverSucceeded: ['GET /deliveries'] });
});

test('[H324] ids of stored objects are bound to each field that has such an id, and the document stays as it is', () => {
  const id = { type: 'string', pattern: '^del_[0-7]x$' };
  const Pickup = { type: 'object', properties: { location_id: { ...id, pattern: '^loc_[0-7]x$' }, lat: {} } };
  const schema = {
    type: 'object',
    properties: { stops: { type: 'array', items: { $ref: '#/components/schemas/Pickup' } } },
  };
  const parameters = [{ name: 'id', in: 'path', schema: id }];
  const requestBody = { content: { 'application/json': { schema } } };
  const paths = {
    '/a/{id}': { get: { operationId: 'getA', parameters }, post: { operationId: 'makeA', parameters, requestBody } },
  };
  const document: OpenApi = { paths, components: { schemas: { Pickup } } };
  const world = { used: { del: ['del_u'] }, kept: { del: ['del_k'], loc: ['loc_k'] }, tokens: [] };
  const before = structuredClone(document);
  const toml = bindingsOf(document, world, { lat: 52, lng: 13 });
  expect(document).toEqual(before);
  expect(toml).toContain('[dictionaries.kept_loc]\nvalues = ["loc_k"]');
  expect(toml).toContain('"path.id" = { dictionary = "kept_del", probability = 0.85 }');
  expect(toml).toContain('"path.id" = { dictionary = "used_del", probability = 0.85 }');
  expect(toml).toContain('"body.stops[*].location_id" = { dictionary = "kept_loc", probability = 0.85 }');
  expect(toml).toContain('"body.stops[*].lat" = { dictionary = "lat", probability = 0.85 }');
});

test('[H324] a wrong role is refused with the known ones', () => {
  expect(() => parseOptions(['--role', 'rider'])).toThrow('must be one of vendor, courier, staff, nobody');
  expect(parseOptions([])).toMatchObject({ roles: ['vendor', 'courier', 'staff', 'nobody'], leastCases: 10_000 });
});
