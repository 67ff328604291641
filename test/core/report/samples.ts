import { create, type Message, type MessageInitShape } from '@bufbuild/protobuf';
import type { GenMessage } from '@bufbuild/protobuf/codegenv2';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { ReportInput } from '../../../core/report/input.ts';
import {
  BaselineState,
  type Finding,
  FindingSchema,
  FindingState,
  type ProofSchema,
  Severity,
} from '../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { type Write, WriteSchema, WriteState } from '../../../proto/gen/scanaudit/v1/runs_pb.ts';
import {
  Depth,
  FamilyStatus,
  OutcomeKind,
  type Scan,
  ScanSchema,
  ScanStatus,
} from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import { SiteMapSchema } from '../../../proto/gen/scanaudit/v1/surface_pb.ts';

/** Some fields of a message, as `create` takes them. */
type Changes<S extends GenMessage<Message>> = Omit<MessageInitShape<S>, '$typeName' | '$unknown'>;

const at = (text: string) => timestampFromDate(new Date(text));

const runId = '0198f3a0-5f1e-7c3a-9d3e-2b1f6a7c8d9e';

/** A completed deep scan that looked at everything, with `changes` laid over it. */
export function sampleScan(changes: Changes<typeof ScanSchema> = {}): Scan {
  return create(ScanSchema, {
    runId,
    host: 'shop.example',
    url: 'https://shop.example/',
    depth: Depth.DEEP,
    status: ScanStatus.COMPLETED,
    phase: 'done',
    progress: 1,
    createdAt: at('2026-03-04T10:00:00Z'),
    startedAt: at('2026-03-04T10:00:01Z'),
    finishedAt: at('2026-03-04T10:02:19Z'),
    coverage: {
      complete: true,
      families: [
        family('headers', 9, 14),
        family('cookies', 4, 9),
        family('exposure', 12, 96),
        family('injection', 10, 371),
        family('deep/access', 3, 42),
      ],
    },
    requests: 1_284,
    credits: 5,
    ...changes,
  });
}

const family = (id: string, checks: number, requests: number) => ({
  id,
  status: FamilyStatus.DONE,
  checks,
  requests,
  outcomes: [
    { checkId: `${id}.first`, outcome: OutcomeKind.CLEAN, refuted: 2 },
    { checkId: `${id}.second`, outcome: OutcomeKind.NOT_APPLICABLE, reason: 'there is no such thing on this host' },
  ],
});

let serial = 0;

/** An open finding with its proof, with `changes` laid over it. */
export function sampleFinding(changes: Changes<typeof FindingSchema> = {}): Finding {
  serial += 1;
  return create(FindingSchema, {
    id: `finding-${serial}`,
    fingerprint: serial.toString(16).padStart(32, '0'),
    checkId: 'injection.reflected-xss',
    title: 'Search term is run as script',
    severity: Severity.MEDIUM,
    cvss: { version: '3.1', vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N', score: 6.1 },
    cwe: 79,
    owasp: 'A05:2025',
    category: 'injection',
    location: { url: 'https://shop.example/search?q=oak', method: 'GET', parameter: 'q', parameterIn: 'query' },
    locations: [{ url: 'https://shop.example/search?q=oak', method: 'GET', parameter: 'q', parameterIn: 'query' }],
    description:
      'The value of `q` is put into the page without encoding, so a link can carry a script that the browser runs as part of this site.',
    impact:
      'Whoever opens a prepared link runs the script of its author: it can read the page, act for the visitor and change what is shown.',
    remediation:
      'Encode the value for the place where it stands. In HTML text, replace `&`, `<`, `>` and quotes by entities.\n\nA template engine that encodes by default does this for all values.',
    references: [
      'OWASP Cross Site Scripting Prevention: https://cheatsheetseries.owasp.org/cheatsheets/Cross_Site_Scripting_Prevention_Cheat_Sheet.html',
    ],
    proof: sampleProof(),
    firstSeenRunId: runId,
    baselineState: BaselineState.NEW,
    state: FindingState.OPEN,
    ...changes,
  });
}

export const sampleProof = (): MessageInitShape<typeof ProofSchema> => ({
  verifiedAt: at('2026-03-04T10:01:12Z'),
  trials: 2,
  curl: "curl -sS 'https://shop.example/search?q=%3Csvg%20onload%3Dalert(%22k3v9x2%22)%3E'",
  steps: [
    {
      action: {
        case: 'browser',
        value: {
          url: 'https://shop.example/search?q=<svg onload=alert("‹nonce›")>',
          clicks: [],
          page: '<p>of another origin</p>',
        },
      },
      note: 'The browser runs a script that came with the link.',
      assertions: [
        {
          subject: 'browser:dialogs',
          operator: 'contains',
          expected: '‹nonce›',
          note: 'The random value is shown in a dialog of the page.',
        },
      ],
      observation: {
        summary: 'HTTP/1.1 200 OK',
        headers: [
          { name: 'content-type', value: 'text/html; charset=utf-8' },
          { name: 'content-security-policy', value: "default-src 'self' 'unsafe-inline'" },
        ],
        excerpt: '<h1>Search</h1>\n<p>0 results for <svg onload=alert("k3v9x2")></p>\n<form action="/search">',
        marks: ['<svg onload=alert("k3v9x2")>'],
        values: [{ name: 'browser:dialogs', value: 'k3v9x2' }],
      },
    },
  ],
  control: [
    {
      action: {
        case: 'browser',
        value: { url: 'https://shop.example/search?q=svg onload=alert("‹nonce›")', clicks: [] },
      },
      note: 'Without the angle brackets nothing is run.',
      assertions: [{ subject: 'browser:dialogs', operator: 'contains', expected: '‹nonce›' }],
      observation: {
        summary: 'HTTP/1.1 200 OK',
        excerpt: '<p>0 results for svg onload=alert("p0q7d1")</p>',
        values: [{ name: 'browser:dialogs', value: '' }],
      },
    },
  ],
});

export const sampleWrite = (state: WriteState): Write =>
  state === WriteState.LEFT || state === WriteState.UNCHANGED ? writeWithoutUndo(state) : writeWithUndo(state);

const writeWithoutUndo = (state: WriteState): Write =>
  create(WriteSchema, {
    id: 'write-2',
    actionId: 'forms',
    description: 'Sends the form of the guestbook once',
    request: { method: 'POST', url: 'https://shop.example/guestbook', body: 'text=k3v9x2' },
    place: 'https://shop.example/guestbook',
    state,
  });

const writeWithUndo = (state: WriteState): Write =>
  create(WriteSchema, {
    id: 'write-1',
    actionId: 'access.idor-write',
    identity: 'a',
    description: 'Changes the delivery note of an order of test identity a',
    request: { method: 'POST', url: 'https://shop.example/orders/1041/note', body: 'note=k3v9x2' },
    undo: {
      method: 'POST',
      url: 'https://shop.example/orders/1041/note',
      body: 'note=Leave+at+the+door&csrf=‹encode:token1›',
    },
    verify: {
      url: 'https://shop.example/orders/1041',
      identity: 'a',
      assertions: [{ subject: 'body:json:/note', operator: 'equals', expected: '"Leave at the door"' }],
    },
    fresh: { url: 'https://shop.example/orders/1041/edit', captures: [{ name: 'token1', subject: 'body' }] },
    undoFailure: state === WriteState.UNDO_FAILED ? 'the undo was answered 200, and the note is not as before' : '',
    state,
  });

export const sampleInput = (changes: Partial<ReportInput> = {}): ReportInput => ({
  scan: sampleScan({ findingsCount: changes.findings?.length ?? 0 }),
  findings: [],
  run: {
    domain: 'shop.example',
    ownershipMethod: 'dns-txt',
    ownershipVerifiedAt: new Date('2026-03-04T09:12:00Z'),
    orgName: 'Example Furniture Ltd',
  },
  permissions: undefined,
  siteMap: create(SiteMapSchema),
  writes: [],
  now: new Date('2026-03-04T10:05:00Z'),
  ...changes,
});
