/** The code of an error or of one of its causes: a PostgreSQL SQLSTATE or a Node error code. */
function codeOf(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause)
    if ('code' in at && typeof at.code === 'string') return at.code;
  return '';
}

// Class 08: connection exception; 53300: too many connections; 57P01 to 57P03: shut down, crashed, starting up.
const downCodes = /^(08...|53300|57P0[123]|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH)$/;
// What `pg` says of a connection that ended, without a code.
const downMessages = /Connection terminated|timeout exceeded when trying to connect|not queryable|Client was closed/i;

/** PostgreSQL cannot be reached, or ended the connection: trying again later helps. */
export const isDatabaseDown = (error: unknown): boolean =>
  downCodes.test(codeOf(error)) || (error instanceof Error && downMessages.test(error.message));

/** 57014: the statement ran longer than `statement_timeout`. */
export const isStatementTimeout = (error: unknown): boolean => codeOf(error) === '57014';

/** 55P03: a lock was not to be had within `lock_timeout`. */
export const isLockTimeout = (error: unknown): boolean => codeOf(error) === '55P03';

/** 23503: the row that it refers to is not there. */
export const isMissingReference = (error: unknown): boolean => codeOf(error) === '23503';

/** 22003: a number grew beyond its column. */
export const isOutOfRange = (error: unknown): boolean => codeOf(error) === '22003';

/**
 * 40P01: a deadlock, of which this transaction was chosen to end; 40001: another one came first. Nothing of it happened,
 * and the same again will as a rule.
 */
export const isLostRace = (error: unknown): boolean => /^(40P01|40001)$/.test(codeOf(error));
