import { text } from '../../engines/shapes/fields.ts';
import { shape } from '../../engines/shapes/shape.ts';

type SecretRow = { readonly _id: string; readonly value: string };

export const SECRETS_KEPT = shape<SecretRow>({
  name: 'secrets',
  holds: 'A secret that all processes share and that is not set by a variable.',
  kept: 'Always.',
  shardKey: null,
  indexes: [],
  fields: { _id: text('The name of the secret’s variable.'), value: text('The secret.') },
});
