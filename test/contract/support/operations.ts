/** What a caller sends besides the request itself. */
type Sending = { key?: string; headers?: Record<string, string> };

/** What came back, in the words of REST whichever way it was asked. */
export type Outcome = {
  /** HTTP status, or number of the gRPC code. */
  status: number;
  /** "OK", or the reason of the refusal. */
  reason: string;
  /** Of a success: the answer. Of a refusal: its facts, such as needsOwnership, without status and texts. */
  body: unknown;
  /** The answer as it came, byte for byte: REST only. */
  text: string;
  header(name: string): string | undefined;
};

/** @param operation for instance "ScanService/StartScan" @param request in the words of REST */
export type Ask = (operation: string, request?: object, sending?: Sending) => Promise<Outcome>;

/**
 * Every endpoint of the specification and the design, written down a second time, by hand: so a route that moves by
 * mistake is noticed. The rest of the request is the body of POST, PUT and PATCH and the query of GET and DELETE.
 */
export const endpoints: Record<string, readonly [method: string, path: string]> = {
  'ScanService/ListScans': ['GET', '/api/v1/scans'],
  'ScanService/StartScan': ['POST', '/api/v1/scans'],
  'ScanService/GetScan': ['GET', '/api/v1/scans/:runId'],
  'ScanService/ListFindings': ['GET', '/api/v1/scans/:runId/findings'],
  'ScanService/GetReport': ['GET', '/api/v1/scans/:runId/report'],
  'ScanService/GetSurface': ['GET', '/api/v1/scans/:runId/surface'],
  'ScanService/GetGate': ['GET', '/api/v1/scans/:runId/gate'],
  'ScanService/CancelScan': ['POST', '/api/v1/scans/:runId/cancel'],
  'DomainService/ListDomains': ['GET', '/api/v1/domains'],
  'DomainService/RegisterDomain': ['POST', '/api/v1/domains'],
  'DomainService/GetDomain': ['GET', '/api/v1/domains/:domain'],
  'DomainService/DeleteDomain': ['DELETE', '/api/v1/domains/:domain'],
  'DomainService/VerifyDomain': ['POST', '/api/v1/domains/:domain/verify'],
  'DomainService/GetScope': ['GET', '/api/v1/domains/:domain/scope'],
  'DomainService/GetLogin': ['GET', '/api/v1/domains/:domain/logins/:name'],
  'DomainService/DeleteLogin': ['DELETE', '/api/v1/domains/:domain/logins/:name'],
  'OrgService/GetOrg': ['GET', '/api/v1/org'],
  'OrgService/UpdateOrg': ['PATCH', '/api/v1/org'],
  'KeyService/CreateOrgKey': ['POST', '/api/v1/keys'],
  'KeyService/ListOrgKeys': ['GET', '/api/v1/keys'],
  'KeyService/RotateOrgKey': ['POST', '/api/v1/keys/:keyId/rotate'],
  'KeyService/RevokeOrgKey': ['DELETE', '/api/v1/keys/:keyId'],
  'CreditService/ListCredits': ['GET', '/api/v1/org/credits'],
  'AuditLogService/ListAuditLog': ['GET', '/api/v1/org/audit-log'],
  'ScanService/UpdateFinding': ['PATCH', '/api/v1/findings/:fingerprint'],
};

/** Those whose body is one field of the request. */
export const bodyFields: Record<string, readonly [method: string, path: string, field: string]> = {
  'DomainService/PutLogin': ['PUT', '/api/v1/domains/:domain/logins/:name', 'login'],
  'DomainService/PutScope': ['PUT', '/api/v1/domains/:domain/scope', 'scope'],
};

/** Those that take the id of a scan. */
export const scanOperations = Object.keys(endpoints).filter((operation) =>
  endpoints[operation]?.[1].includes(':runId'),
);

/** A request of the right form for each operation, for tests that are about something else. */
export const anyRequest: Record<string, object> = {
  'ScanService/StartScan': { url: 'example.com' },
  'ScanService/GetScan': { runId: '01890000-0000-7000-8000-000000000000' },
  'ScanService/ListFindings': { runId: '01890000-0000-7000-8000-000000000000' },
  'ScanService/GetReport': { runId: '01890000-0000-7000-8000-000000000000' },
  'ScanService/GetSurface': { runId: '01890000-0000-7000-8000-000000000000' },
  'ScanService/GetGate': { runId: '01890000-0000-7000-8000-000000000000' },
  'ScanService/CancelScan': { runId: '01890000-0000-7000-8000-000000000000' },
  'ScanService/UpdateFinding': { fingerprint: 'f'.repeat(32), state: 'open' },
  'KeyService/CreateOrgKey': { name: 'ci', scopes: [] },
  'KeyService/RotateOrgKey': { keyId: 'abcdefgh' },
  'KeyService/RevokeOrgKey': { keyId: 'abcdefgh' },
  'DomainService/RegisterDomain': { domain: 'example.com' },
  'DomainService/GetDomain': { domain: 'example.com' },
  'DomainService/DeleteDomain': { domain: 'example.com' },
  'DomainService/VerifyDomain': { domain: 'example.com' },
  'DomainService/GetScope': { domain: 'example.com' },
  'DomainService/GetLogin': { domain: 'example.com', name: 'a' },
  'DomainService/DeleteLogin': { domain: 'example.com', name: 'a' },
  'DomainService/PutLogin': { domain: 'example.com', name: 'a', login: { bearer: 'secret' } },
  'DomainService/PutScope': { domain: 'example.com', scope: { startUrls: ['https://example.com/app'] } },
};
export const allOperations = [...Object.keys(endpoints), ...Object.keys(bodyFields)];
