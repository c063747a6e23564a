import { Icon } from '../shared/icons.tsx';
import { NO_DELIVERY_WORDS } from './words.ts';

/** The page of an unknown or expired link. */
export function NoDelivery({ why }: { why: 'expired' | 'unknown' }) {
  const { title, text } = NO_DELIVERY_WORDS[why];
  return (
    <main class="no-delivery">
      <span class="badge">
        <Icon name={why === 'expired' ? 'clock' : 'search'} />
      </span>
      <h1>{title}</h1>
      <p>{text}</p>
    </main>
  );
}
