/** The environment of the test run, for code that needs PATH and HOME. The tests read no setting from it. */
// oxlint-disable-next-line node/no-process-env -- the one place where the tests meet the machine
export const ENVIRONMENT = process.env;
