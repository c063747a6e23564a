import { expect, test } from 'vitest';
import { generated } from '../docs/generated.ts';
import { ConfigError, readConfig, settingNames } from '../src/config.ts';
import { ENVIRONMENT } from './environment.ts';

function mistakesOf(env: Readonly<Record<string, string | undefined>>): string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n');
    throw error;
  }
}

const ENGINES = { MONGO_URL: 'mongodb://127.0.0.1/d', REDIS_URL: 'redis://127.0.0.1' };

test('[Z18] a variable that looks like a misspelled setting stops the start, and so do other mistakes', () => {
  expect(mistakesOf({ DISPATCH_PERIOD_MSS: '4000', PORT: 'x', MONGO_URI: ENGINES.MONGO_URL })).toEqual([
    'DISPATCH_PERIOD_MSS is not a setting. Did you mean DISPATCH_PERIOD_MS?',
    'MONGO_URI is not a setting. Did you mean MONGO_URL?',
    expect.stringMatching(/^PORT: /) as string,
  ]);
  for (const [wrong, right] of [
    ['LOG_LEVLE', 'LOG_LEVEL'],
    ['MONGODB_URL', 'MONGO_URL'],
    ['REDIS_URI', 'REDIS_URL'],
    ['DISPATCH_PERIOD', null],
    ['POTR', null],
  ] as const) {
    expect(mistakesOf({ [wrong]: '1' })).toEqual(
      right === null ? [] : [`${wrong} is not a setting. Did you mean ${right}?`],
    );
  }
});

test('[Z18] a misspelled variable is accepted if it is empty or the setting itself is given', () => {
  expect(mistakesOf({ ...ENGINES, MONGO_URI: ENGINES.MONGO_URL })).toEqual([]);
  expect(mistakesOf({ ...ENGINES, MONGO_URL: '', MONGO_URI: 'x' })).toContain(
    'MONGO_URI is not a setting. Did you mean MONGO_URL?',
  );
  expect(mistakesOf({ MONGO_URI: '' })).toEqual([]);
  expect(mistakesOf({ MONGO_URI: ' ' })).toEqual([]);
  // The neighbour QUOTES_PER_KG_FEE is not given, and was not meant.
  expect(mistakesOf({ QUOTES_PER_KM_FEE: '90', QUOTES_PER_KM_FEES: '90' })).toEqual([]);
});

test('[Z18] a blank number counts as not set, and not as 0', () => {
  const [blank, usual] = [{ ...ENGINES, QUOTES_PER_KM_FEE: ' ' }, ENGINES].map((env) => readConfig(env).settings);
  expect(usual?.quotes.perKmFee).toBeGreaterThan(0);
  expect(blank).toEqual(usual);
});

test('[R13] an invalid address of Redis stops the start with a message that lists the allowed forms', () => {
  expect(mistakesOf({ ...ENGINES, REDIS_URL: 'redis+sentinel://:secret@one,two' })).toEqual([
    expect.stringMatching(/^REDIS_URL: must be redis:\/\/host:port, /) as string,
  ]);
  expect(mistakesOf({ ...ENGINES, REDIS_URL: 'redis+sentinel://one,two/orders' })).toEqual([]);
  expect(mistakesOf({ ...ENGINES, REDIS_URL: 'redis://a:7000,redis://b:7001' })).toEqual([]);
});

/** Variables that shells, service managers, runtimes, containers, hosts and builds set. */
const OF_OTHERS = `
  PATH HOME USER LOGNAME SHELL SHLVL PWD OLDPWD TERM TERM_PROGRAM TERM_PROGRAM_VERSION COLORTERM EDITOR VISUAL PAGER LESS
  LESSOPEN LESSCLOSE LS_COLORS LANG LANGUAGE LC_ALL LC_CTYPE LC_TIME TZ TMPDIR TEMP TMP MAIL HOSTNAME HOSTTYPE OSTYPE MACHTYPE
  BASH_ENV HISTFILE HISTSIZE HISTCONTROL PS1 DISPLAY XAUTHORITY WAYLAND_DISPLAY DESKTOP_SESSION DBUS_SESSION_BUS_ADDRESS
  XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_DATA_DIRS XDG_CONFIG_DIRS XDG_STATE_HOME XDG_RUNTIME_DIR XDG_SESSION_ID
  XDG_SESSION_TYPE XDG_SESSION_CLASS XDG_CURRENT_DESKTOP SSH_AUTH_SOCK SSH_AGENT_PID SSH_CLIENT SSH_CONNECTION SSH_TTY
  GPG_AGENT_INFO SUDO_USER SUDO_UID SUDO_GID SUDO_COMMAND DEBIAN_FRONTEND TMUX TMUX_PANE STY WINDOWID INSIDE_EMACS
  INVOCATION_ID JOURNAL_STREAM NOTIFY_SOCKET WATCHDOG_USEC WATCHDOG_PID MAINPID LISTEN_FDS LISTEN_PID SYSTEMD_EXEC_PID
  RUNTIME_DIRECTORY STATE_DIRECTORY CACHE_DIRECTORY LOGS_DIRECTORY CONFIGURATION_DIRECTORY CREDENTIALS_DIRECTORY
  HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY http_proxy https_proxy no_proxy SSL_CERT_FILE SSL_CERT_DIR CURL_CA_BUNDLE
  NODE NODE_OPTIONS NODE_PATH NODE_DEBUG NODE_VERSION NODE_HOME NODE_NO_WARNINGS NODE_EXTRA_CA_CERTS NODE_REPL_HISTORY
  NODE_TLS_REJECT_UNAUTHORIZED NODE_COMPILE_CACHE NODE_V8_COVERAGE NODE_UNIQUE_ID NODE_CHANNEL_FD NODE_APP_INSTANCE NODE_DISABLE_COLORS
  NO_COLOR FORCE_COLOR DEBUG VERBOSE INIT_CWD COLOR UV_THREADPOOL_SIZE YARN_VERSION NVM_DIR NVM_BIN NVM_INC NVM_CD_FLAGS
  VOLTA_HOME FNM_DIR ASDF_DIR ASDF_DATA_DIR MISE_DATA_DIR PNPM_HOME BUN_INSTALL COREPACK_ENABLE_STRICT PM2_HOME
  npm_command npm_config_cache npm_config_local_prefix npm_config_noproxy npm_config_user_agent npm_config_userconfig
  npm_execpath npm_lifecycle_event npm_lifecycle_script npm_node_execpath npm_package_json npm_package_name npm_package_version
  VITEST VITEST_MODE VITEST_POOL_ID VITEST_WORKER_ID TEST DEV PROD MODE SSR JEST_WORKER_ID
  JAVA_HOME JAVA_OPTS JAVA_TOOL_OPTIONS PYTHONPATH PYTHONUNBUFFERED VIRTUAL_ENV PIPX_HOME GOPATH GOROOT GOPROXY CARGO_HOME
  RUSTUP_HOME RUST_LOG RUST_BACKTRACE GEM_HOME RAILS_ENV RACK_ENV APP_ENV FLASK_ENV DJANGO_SETTINGS_MODULE ANDROID_HOME
  MONGO_VERSION MONGO_MAJOR MONGO_PACKAGE MONGO_REPO MONGO_INITDB_DATABASE MONGO_INITDB_ROOT_USERNAME MONGO_INITDB_ROOT_PASSWORD
  MONGOHOST MONGOPORT MONGOUSER MONGOPASSWORD MONGOMS_VERSION MONGOMS_DOWNLOAD_DIR MONGOMS_SYSTEM_BINARY GLIBC_TUNABLES
  REDISHOST REDISPORT REDISUSER REDISPASSWORD REDISCLI_AUTH REDIS_VERSION REDIS_DOWNLOAD_URL REDIS_DOWNLOAD_SHA REDIS_PASSWORD
  REDIS_HOST REDIS_PORT REDIS_TLS_URL REDISCLOUD_URL DATABASE_URL PGHOST PGPORT PGDATA PGUSER MYSQL_HOST RABBITMQ_URL KAFKA_BROKERS
  AWS_REGION AWS_DEFAULT_REGION AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN AWS_PROFILE AWS_EXECUTION_ENV
  ECS_CONTAINER_METADATA_URI ECS_CONTAINER_METADATA_URI_V4 GOOGLE_APPLICATION_CREDENTIALS GOOGLE_CLOUD_PROJECT GCLOUD_PROJECT
  K_SERVICE K_REVISION K_CONFIGURATION AZURE_CLIENT_ID AZURE_TENANT_ID WEBSITE_HOSTNAME WEBSITE_SITE_NAME
  DYNO PORT_RANGE STACK SOURCE_VERSION HEROKU_APP_NAME HEROKU_SLUG_COMMIT RAILWAY_PROJECT_ID RAILWAY_STATIC_URL
  RENDER RENDER_SERVICE_ID RENDER_EXTERNAL_URL FLY_APP_NAME FLY_REGION FLY_ALLOC_ID VERCEL VERCEL_URL NETLIFY
  CI BUILD_ID BUILD_NUMBER BUILD_URL BRANCH_NAME JOB_NAME JENKINS_URL JENKINS_HOME WORKSPACE GIT_BRANCH GIT_COMMIT TRAVIS CIRCLECI
  GITHUB_ACTIONS GITHUB_ACTION GITHUB_ENV GITHUB_PATH GITHUB_REF GITHUB_SHA GITHUB_TOKEN GITHUB_URL GITHUB_WORKSPACE GITHUB_RUN_ID
  RUNNER_OS RUNNER_ARCH RUNNER_TEMP RUNNER_NAME RUNNER_TOOL_CACHE GITLAB_CI CI_JOB_ID CI_JOB_TOKEN CI_COMMIT_SHA CI_PROJECT_DIR
  OTEL_EXPORTER_OTLP_ENDPOINT OTEL_SERVICE_NAME OTEL_RESOURCE_ATTRIBUTES OTEL_LOG_LEVEL OTEL_TRACES_SAMPLER DD_ENV DD_SERVICE
  DD_AGENT_HOST DD_TRACE_AGENT_URL SENTRY_DSN SENTRY_RELEASE NEW_RELIC_LICENSE_KEY NEW_RELIC_LOG_LEVEL STRIPE_API_KEY
  KUBECONFIG KUBERNETES_PORT KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT KUBERNETES_SERVICE_PORT_HTTPS KUBERNETES_PORT_443_TCP
  KUBERNETES_PORT_443_TCP_ADDR KUBERNETES_PORT_443_TCP_PORT KUBERNETES_PORT_443_TCP_PROTO POD_NAME POD_NAMESPACE POD_IP NODE_NAME
  NODE_IP HOST_IP CONTAINER_NAME COMPOSE_PROJECT_NAME COMPOSE_FILE DOCKER_HOST DOCKER_CONFIG BUILDKIT_PROGRESS container
  VSCODE_PID VSCODE_CWD VSCODE_IPC_HOOK VSCODE_GIT_IPC_HANDLE CURSOR_TRACE_ID GIT_ASKPASS GIT_EDITOR GIT_PAGER WSL_DISTRO_NAME
  ANTHROPIC_API_KEY OPENAI_API_KEY HF_TOKEN APP_URL API_URL API_KEY SECRET_KEY JWT_SECRET SESSION_SECRET STAFF_PASSWORD CHAOS_SKEWS_MS
`
  .trim()
  .split(/\s+/);

/** The variables that Kubernetes sets in each container for a service of this name. */
function serviceLinks(service: string): string[] {
  const port = `${service}_PORT_3000_TCP`;
  const ofPort = [port, `${port}_PROTO`, `${port}_PORT`, `${port}_ADDR`];
  return [
    `${service}_SERVICE_HOST`,
    `${service}_SERVICE_PORT`,
    `${service}_SERVICE_PORT_HTTP`,
    `${service}_PORT`,
    ...ofPort,
  ];
}

test('[J95] a key of Stripe needs the secret of its callbacks, and the other way round', () => {
  const both = { STRIPE_SECRET_KEY: 'sk_test_abcdefghijkl', STRIPE_WEBHOOK_SECRET: 'whsec_abcdefghijkl' };
  expect(readConfig(both).around).toMatchObject(both);
  for (const name of Object.keys(both)) {
    const half = Object.fromEntries(Object.entries(both).filter(([other]) => other !== name));
    expect(() => readConfig(half)).toThrow('STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET: set both');
  }
  expect(() => readConfig({ ...both, STRIPE_SECRET_KEY: 'pk_live_abcdefghijkl' })).toThrow(
    'STRIPE_SECRET_KEY: must be',
  );
});

test('[J216] Flutterwave needs both of its variables, and each gateway its secret key', () => {
  const both = {
    FLUTTERWAVE_SECRET_KEY: 'FLWSECK_TEST-abcdefghijkl',
    FLUTTERWAVE_WEBHOOK_SECRET: 'a-secret-hash-of-ours',
  };
  expect(readConfig({ ...both, PAYSTACK_SECRET_KEY: 'sk_live_abcdefghijkl' }).around).toMatchObject(both);
  for (const [name, value] of Object.entries(both))
    expect(() => readConfig({ [name]: value })).toThrow('FLUTTERWAVE_SECRET_KEY, FLUTTERWAVE_WEBHOOK_SECRET: set both');
  const wrong = { PAYSTACK_SECRET_KEY: 'pk_live_abcdefghijkl', FLUTTERWAVE_SECRET_KEY: 'FLWPUBK-abcdefghijkl' };
  for (const [name, value] of Object.entries(wrong))
    expect(() => readConfig({ ...both, [name]: value })).toThrow(`${name}: must be a secret key`);
});

test('[Z18] variables of other software do not count as misspelled settings', () => {
  // Services with names like ours or our engines': their variables are the most similar to settings.
  const beginnings = settingNames().flatMap((name) =>
    [...name.matchAll(/_/gu)].map(({ index }) => name.slice(0, index)),
  );
  const services = [
    ...new Set([...beginnings, 'MONGO', 'MONGODB', 'REDIS', 'VALKEY', 'DISPATCH_SERVER', 'WEB', 'API']),
  ];
  const names = [...OF_OTHERS, ...Object.keys(ENVIRONMENT), ...services.flatMap(serviceLinks)];
  const alarms = mistakesOf(Object.fromEntries(names.map((name) => [name, 'x'])));
  expect(alarms.filter((sentence) => sentence.includes('Did you mean'))).toEqual([]);
  expect(names.length).toBeGreaterThan(1000);
});

test('[X10] the settings reference lists each setting once, under the heading of its group', () => {
  const [, ...groups] = (generated()['settings.md'] ?? '').split(/^## /mu);
  const named = groups.flatMap((group) => [...group.matchAll(/^\| `(\w+)` \|/gmu)].map((match) => match[1] ?? ''));
  expect(named.toSorted()).toEqual(settingNames().toSorted());
  const headings = groups.map((group) => group.slice(0, group.indexOf('\n')));
  expect(headings).toContain('Matching');
  expect(new Set(headings).size).toBe(headings.length);
  const matching = groups[headings.indexOf('Matching')];
  expect(matching).toContain('`DISPATCH_PERIOD_MS`');
  expect(matching).not.toContain('`MONGO_URL`');
});
