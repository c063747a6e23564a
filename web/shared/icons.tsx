/** Every icon of both pages, drawn on a grid of 24. */
const PATHS = {
  alert: 'M12 4 2.8 20h18.4zM12 10v4.5M12 17.2v.1',
  bicycle:
    'M6 19a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM18 19a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM6 15l3.5-6h6L18 15M9.5 9 12 15l3.5-6M14.5 6H17l-1.5 3M7.5 7h3',
  box: 'M4 8l8-4 8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8',
  car: 'M4 17v-4.5L6 7h12l2 5.500V17zM4 12.500h16M7 17v2M17 17v2M7.5 14.800h.1M16.5 14.800h.1',
  check: 'M5 12.500l4.5 4.500L19 7.5',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3.5 2',
  close: 'M6 6l12 12M18 6 6 18',
  document: 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6',
  heading: 'M12 3l7 17-7-4-7 4z',
  home: 'M4 11l8-7 8 7M6 9.500V20h12V9.500M10 20v-5h4v5',
  list: 'M8 6h12M8 12h12M8 18h12M4 6h.1M4 12h.1M4 18h.1',
  logout: 'M10 4H5v16h5M15 8l4 4-4 4M19 12H9',
  map: 'M3 6l6-2 6 2 6-2v14l-6 2-6-2-6 2zM9 4v14M15 6v14',
  motorcycle:
    'M5.5 19a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM18.5 19a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM5.5 15.5 9 10h5.500l4 5.500M9 15.500h4.500l1-5.500L13 6h3M5 9h4',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20c.8-4 4-5.5 7.5-5.500s6.7 1.5 7.5 5.5',
  pin: 'M12 21s7-6.4 7-11.500a7 7 0 1 0-14 0C5 14.6 12 21 12 21zM12 12a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
  scooter:
    'M6 19.500a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM18 19.500a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM8.5 17H13c0-3 1-5 3.2-6L14.7 5H12.500M16.2 11l1.8 3.500M4 11.500h6V15',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l5 5',
  shop: 'M4.5 12v8h15v-8M3 9l2-5h14l2 5a3 3 0 0 1-6 0 3 3 0 0 1-6 0 3 3 0 0 1-6 0zM10 20v-5h4v5',
  star: 'M12 3.5l2.6 5.6 6 .7-4.500 4.100 1.200 6L12 16.900 6.700 19.900l1.200-6L3.400 9.800l6-.7z',
  target: 'M12 19a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM12 2v5M12 17v5M2 12h5M17 12h5',
  van: 'M5 17H3V6h11v11H9M14 9h4l3 4v4h-1.500M16 17h-2M7 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM18 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
} as const;

export type IconName = keyof typeof PATHS;

const SOLID: readonly IconName[] = ['heading'];

/** An icon. Without a label it is decoration and hidden from screen readers. */
export function Icon({ name, label }: { name: IconName; label?: string }) {
  return (
    <svg
      class={SOLID.includes(name) ? 'icon icon-solid' : 'icon'}
      viewBox="0 0 24 24"
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      <path d={PATHS[name]} />
    </svg>
  );
}

/** The icon of a vehicle type; a parcel for an unknown type. */
export function vehicleIcon(vehicleType: string): IconName {
  return vehicleType in PATHS ? (vehicleType as IconName) : 'box';
}
