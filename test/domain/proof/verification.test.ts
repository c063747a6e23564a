import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import { judgeProof } from '../../../src/domain/proof/judge-proof.ts';
import {
  missingProof,
  PROOF_PARTS,
  proofStatusOf,
  type ProofPart,
  type StopProof,
  type Verification,
} from '../../../src/domain/proof/verification.ts';

const parts = fc.subarray([...PROOF_PARTS]);
/** A name or a relationship is a part of the signature. */
const isSigned = (wanted: readonly ProofPart[]): boolean => wanted.some((part) => part.startsWith('signature'));

function requiring(wanted: readonly ProofPart[]): Verification {
  const has = (part: ProofPart): boolean => wanted.includes(part);
  return {
    picture: has('picture'),
    signature: isSigned(wanted)
      ? { collectName: has('signature_name'), collectRelationship: has('signature_relationship') }
      : null,
    pin: has('pin') ? { type: 'random', sealed: 'x' } : null,
    barcodes: has('barcodes') ? [{ value: 'A', type: 'QR' }] : [],
    minAge: has('identification') ? 18 : null,
  };
}

function giving(given: readonly ProofPart[]): StopProof {
  const has = (part: ProofPart): boolean => given.includes(part);
  return {
    id: newId('prf'),
    photos: has('picture') ? [newId('fil')] : [],
    signature: has('signature') ? newId('fil') : null,
    signer: { name: has('signature_name') ? 'Ada' : null, relationship: has('signature_relationship') ? 'self' : null },
    pin: { verifiedAt: has('pin') ? 1 : null, wrongTries: 0 },
    barcodes: has('barcodes') ? [{ value: 'A', at: 1 }] : [],
    ageVerifiedAt: has('identification') ? 1 : null,
    at: 1,
    place: null,
  };
}

test('[D120] a stop lacks exactly the required parts that were not given', () => {
  fc.assert(
    fc.property(parts, parts, (wanted, given) => {
      const required = new Set(isSigned(wanted) ? [...wanted, 'signature'] : wanted);
      const stop = { index: 1, verification: requiring(wanted), proof: giving(given) };
      const missing = PROOF_PARTS.filter((part) => required.has(part) && !given.includes(part));
      expect(missingProof(stop)).toEqual(missing);
      expect(proofStatusOf(stop)).toBe(missing.length === 0 ? 'complete' : 'begun');
      expect(judgeProof(stop, null, 'courier')?.metadata ?? null).toEqual(
        missing.length === 0 ? null : { stop: 1, missing },
      );
    }),
  );
  expect([missingProof({}), proofStatusOf({}), judgeProof({ index: 1 }, null, 'courier')]).toEqual([
    [],
    'not_required',
    null,
  ]);
});

test('[D121] staff with a reason need no proof, and a reason of the courier does not replace it', () => {
  const stop = { index: 2, verification: requiring(['picture']) };
  expect(judgeProof(stop, 'camera broken', 'staff')).toBeNull();
  for (const [why, by] of [
    ['camera broken', 'courier'],
    [null, 'staff'],
    [null, 'courier'],
  ] as const) {
    expect(judgeProof(stop, why, by)).toMatchObject({ code: 'proof_required', metadata: { missing: ['picture'] } });
  }
});
