/**
 * What a bucket promises, and what the product does with one, in Ceph's S3 instead of the server that the other tests
 * use: the files below read S3_SERVER.
 */
process.env.S3_SERVER = 'radosgw'
await import('../services/storage.test.ts')
await import('../jobs/bucket.test.ts')
await import('../jobs/move-files.test.ts')
await import('../jobs/backup.test.ts')

export {}
