import { expect, test } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import { UsageError } from '../../../src/process/command-line.ts';
import { adjustEarnings } from '../../../src/process/operator/money.ts';
import { addStaff, removeStaff, setStaffRoles } from '../../../src/process/operator/staff.ts';
import {
  addLocation,
  addVendor,
  addZone,
  changeLocation,
  setReadiness,
} from '../../../src/process/operator/vendors.ts';

const OF = ['--vendor', newId('ven')];
const AT = ['--location', newId('loc')];
const BY = ['--courier', newId('cou')];
const PLACE = ['--name', 'Shop', '--lat', '52.5', '--lng', '13.4', '--address', 'Main Street 1'];
const CONTACT = ['--contact-name', 'Ada', '--contact-phone', '+4915112345678'];

test('[H380] a mistake in an option is reported by the name of the option, before any engine is contacted', () => {
  const mistakes: readonly (readonly [run: () => unknown, sentence: RegExp])[] = [
    [() => addVendor(['--name', 'Shop', '--currency', 'EURO']), /^--currency must be three upper-case letters/],
    [() => addLocation(PLACE), /^--vendor is missing\.$/],
    [() => addLocation(['--vendor', 'ven_1', ...PLACE]), /^--vendor must be an id that starts with ven_\.$/],
    [() => addLocation([...OF, ...PLACE]), /^--contact-name and --contact-phone and --contact-email must be/],
    [() => addLocation([...OF, ...PLACE, ...CONTACT.slice(2)]), /^--contact-name must be/],
    [
      () => addLocation([...OF, ...PLACE, ...CONTACT, '--max-distance-m', '5']),
      /^--max-distance-m must be .*; it is 5\.$/,
    ],
    [() => addLocation([...OF, ...PLACE, ...CONTACT, '--lat', 'north']), /^--lat must be a number/],
    [() => changeLocation(AT), /^At least one field to change must be given\.$/],
    [() => changeLocation([...AT, '--lat', '52.5']), /^--lng must be/],
    [() => setReadiness([...AT, '--ready', 'maybe']), /^--ready must be yes or no\.$/],
    [() => setReadiness([...AT, '--ready', 'yes', '--until', '2030-01-01T00:00:00Z']), /^--until must be left out/],
    [() => addZone([...AT, '--name', 'Centre']), /^--geojson is missing\.$/],
    [() => addStaff(['--email', 'ada@example.org', '--roles', 'admin'], {}), /^STAFF_PASSWORD is missing\.$/],
    [() => setStaffRoles(['--email', 'ada@example.org', '--roles', 'king']), /unknown: king\.$/],
    [() => removeStaff([]), /^--email is missing\.$/],
    [() => adjustEarnings(['--courier', 'ven_1']), /^--courier must be an id that starts with cou_\.$/],
    [() => adjustEarnings([...BY, '--currency', 'euro']), /^--currency must be a currency of ISO 4217, such as EUR\.$/],
    [() => adjustEarnings([...BY, '--currency', 'JPY', '--amount=12.50']), /^--amount must be .* exactly 0 decimals/],
    [() => adjustEarnings([...BY, '--currency', 'EUR', '--amount=12.50']), /^--reason is missing\.$/],
  ];
  for (const [run, sentence] of mistakes) {
    expect(run).toThrow(UsageError);
    expect(run).toThrow(sentence);
  }
});
