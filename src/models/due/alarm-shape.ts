import { ALARM_KINDS, type Alarm } from '../../domain/alarm.ts';
import { ENDING } from '../../engines/retention.ts';
import { date, id, maybe, number, omissible, oneOf, text } from '../../engines/shapes/fields.ts';
import { shape } from '../../engines/shapes/shape.ts';

export type AlarmRow = Alarm & { readonly _id: string; readonly endsOn?: Date };

/** The key of the index of open alarms, newest first like their list. */
export const OPEN_ALARMS = { since: -1, _id: -1 } as const;

export const ALARMS = shape<AlarmRow>({
  name: 'alarms',
  holds:
    'A problem that a dispatcher should check. The next alarm of the same kind and subject replaces a cleared one.',
  kept: '`RETENTION_ALARMS_MS` after the alarm was cleared.',
  shardKey: { _id: 'hashed' },
  indexes: [{ key: OPEN_ALARMS, partialFilterExpression: { clearedAt: null } }, ENDING],
  fields: {
    _id: text('The kind and its subject.'),
    id: id('alm', 'The alarm’s id.'),
    kind: oneOf(ALARM_KINDS, 'The kind of problem.'),
    deliveryId: maybe(id('del', 'The delivery with the problem.')),
    courierId: maybe(id('cou', 'The courier with the problem.')),
    cell: text('The H3 cell of the problem, resolution 7.'),
    since: number('When the problem began, service time in ms.'),
    clearedAt: maybe(number('When the problem was gone.')),
    detail: text('The sentence that the dispatcher reads.'),
    endsOn: omissible(date('When the database may delete the alarm; left out while it is open.')),
  },
});
