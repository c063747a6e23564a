import { GUIDES } from './guide-list.ts';

const STYLE = `
:root{color-scheme:light dark;--page:#f3f5f6;--surface:#fff;--sunken:#eceff1;--line:#d8dde2;--text:#14181c;--quiet:#4b5560;--accent:#0b6e4f}
@media (prefers-color-scheme:dark){:root{--page:#101316;--surface:#191d21;--sunken:#23292e;--line:#333b42;--text:#eef1f3;--quiet:#adb7c0;--accent:#4fb592}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:16px/1.6 system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif;font-variant-numeric:tabular-nums}
.shell{display:grid;grid-template-columns:240px minmax(0,1fr);max-width:1100px;margin:0 auto}
nav{padding:24px 16px;font-size:14px}
nav strong{display:block;padding:4px 12px;font-size:16px}
nav a{display:block;padding:4px 12px;border-radius:8px;color:var(--quiet);text-decoration:none}
nav a[aria-current]{background:var(--surface);color:var(--text);font-weight:600}
main{margin:24px 16px;padding:24px 32px;background:var(--surface);border:1px solid var(--line);border-radius:8px}
a{color:var(--accent)}a:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
h1{font-size:28px;line-height:1.25;margin:0 0 16px}h2{font-size:20px;margin:32px 0 8px}h3{font-size:16px;margin:24px 0 8px}
code{font:14px/1.5 ui-monospace,Menlo,Consolas,monospace;background:var(--sunken);padding:1px 4px;border-radius:4px}
pre{overflow-x:auto;padding:12px 16px;background:var(--sunken);border-radius:8px}pre code{padding:0;background:none}
table{border-collapse:collapse;width:100%;font-size:14px;display:block;overflow-x:auto}
th,td{padding:8px 12px;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
@media (max-width:768px){.shell{display:block}nav{padding:8px}nav a{display:inline-block}main{margin:8px;padding:16px}}
`;

/** The style of Swagger UI in the colours of the other pages. */
export const REFERENCE_STYLE = `
.swagger-ui,.swagger-ui .info .title,.swagger-ui .opblock-tag,.swagger-ui .opblock .opblock-summary-description{font-family:inherit}
.swagger-ui .topbar{display:none}.swagger-ui .info{margin:0 0 16px}.swagger-ui .wrapper{padding:0}
@media (prefers-color-scheme:dark){.swagger-ui{filter:invert(.9) hue-rotate(180deg)}.swagger-ui .microlight{filter:invert(1) hue-rotate(180deg)}}
`;

/** A page of the documentation, with the list of all guides. Its content is text of this server and never of a caller. */
export function docsPage(title: string, here: string, content: string, style = '', scripts = ''): string {
  const links = [...GUIDES.map(({ name, title: text }) => [`/docs/guides/${name}`, text] as const), ...OTHERS];
  const list = links.map(([to, text]) => `<a href="${to}"${to === here ? ' aria-current="page"' : ''}>${text}</a>`);
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>` +
    `<meta name="viewport" content="width=device-width, initial-scale=1"><style>${STYLE}</style>${style}</head>` +
    `<body><div class="shell"><nav aria-label="Documentation"><strong>Documentation</strong>${list.join('')}</nav>` +
    `<main>${content}</main></div>${scripts}</body></html>`
  );
}

const OTHERS = [
  ['/docs/problems', 'Problem codes'],
  ['/docs/reference', 'Reference'],
] as const;
