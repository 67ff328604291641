import type { Answer } from 'dns-packet';

/** A record's data in the text form of zone files, TXT strings joined without quotes. Source: RFC 1035 §5.1. */
export function dataOf(record: Answer): string {
  switch (record.type) {
    case 'TXT':
      return [record.data].flat().map(String).join('');
    case 'MX':
      return `${record.data.preference ?? 0} ${record.data.exchange}`;
    case 'CAA':
      return `${record.data.flags ?? 0} ${record.data.tag} "${record.data.value}"`;
    case 'SRV':
      return `${record.data.priority ?? 0} ${record.data.weight ?? 0} ${record.data.port} ${record.data.target}`;
    case 'SOA': {
      const { mname, rname, serial, refresh, retry, expire, minimum } = record.data;
      return [mname, rname, serial, refresh, retry, expire, minimum].join(' ');
    }
    case 'DS': {
      const { keyTag, algorithm, digestType, digest } = record.data;
      return `${keyTag} ${algorithm} ${digestType} ${digest.toString('hex')}`;
    }
    case 'DNSKEY':
      return `${record.data.flags} 3 ${record.data.algorithm} ${record.data.key.toString('base64')}`;
    default:
      return generic(record);
  }
}

/** Names and addresses as they are, other structures field by field. */
function generic(record: Answer): string {
  const data: unknown = 'data' in record ? record.data : '';
  if (typeof data === 'string') return data;
  if (data instanceof Uint8Array) return Buffer.from(data).toString('hex');
  if (typeof data !== 'object' || data === null) return String(data);
  return Object.values(data)
    .map((field) => (field instanceof Uint8Array ? Buffer.from(field).toString('hex') : String(field)))
    .join(' ');
}
