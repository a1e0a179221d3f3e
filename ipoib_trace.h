/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Tracepoints: /sys/kernel/tracing/events/ipoib. Each names the interface and
 * the RDMA device, as interfaces of the same name exist in other network
 * namespaces. None is on the way of a packet that is simply sent or received.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM ipoib

#if !defined(IPOIB_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define IPOIB_TRACE_H

#include <linux/tracepoint.h>

#include "ipoib.h"
#include "ipoib_cm.h"

TRACE_DEFINE_ENUM(IPOIB_DOWN);
TRACE_DEFINE_ENUM(IPOIB_NO_PKEY);
TRACE_DEFINE_ENUM(IPOIB_NO_PORT);
TRACE_DEFINE_ENUM(IPOIB_JOINING);
TRACE_DEFINE_ENUM(IPOIB_UP);

#define ipoib_show_state(state)						\
	__print_symbolic(state,						\
			 { IPOIB_DOWN,		"down" },		\
			 { IPOIB_NO_PKEY,	"no-pkey" },		\
			 { IPOIB_NO_PORT,	"no-port" },		\
			 { IPOIB_JOINING,	"joining" },		\
			 { IPOIB_UP,		"up" })

TRACE_EVENT(ipoib_state,
	    TP_PROTO(const struct ipoib_dev *ipoib, enum ipoib_state from,
		     enum ipoib_state to),
	    TP_ARGS(ipoib, from, to),
	    TP_STRUCT__entry(__array(char, dev, IFNAMSIZ)
			     __array(char, hca, IB_DEVICE_NAME_MAX)
			     __field(u32, port)
			     __field(int, from)
			     __field(int, to)),
	    TP_fast_assign(strscpy(__entry->dev, ipoib->netdev->name, IFNAMSIZ);
			   strscpy(__entry->hca, dev_name(&ipoib->ibdev->dev),
				   IB_DEVICE_NAME_MAX);
			   __entry->port = ipoib->port_num;
			   __entry->from = from;
			   __entry->to = to;),
	    TP_printk("dev=%s hca=%s port=%u from=%s to=%s", __entry->dev,
		      __entry->hca, __entry->port,
		      ipoib_show_state(__entry->from),
		      ipoib_show_state(__entry->to)));

TRACE_DEFINE_ENUM(IB_EVENT_PORT_ACTIVE);
TRACE_DEFINE_ENUM(IB_EVENT_PORT_ERR);
TRACE_DEFINE_ENUM(IB_EVENT_LID_CHANGE);
TRACE_DEFINE_ENUM(IB_EVENT_PKEY_CHANGE);
TRACE_DEFINE_ENUM(IB_EVENT_GID_CHANGE);
TRACE_DEFINE_ENUM(IB_EVENT_SM_CHANGE);
TRACE_DEFINE_ENUM(IB_EVENT_CLIENT_REREGISTER);

#define ipoib_show_event(event)						\
	__print_symbolic(event,						\
			 { IB_EVENT_PORT_ACTIVE,	"port-active" },	\
			 { IB_EVENT_PORT_ERR,		"port-err" },		\
			 { IB_EVENT_LID_CHANGE,		"lid-change" },		\
			 { IB_EVENT_PKEY_CHANGE,	"pkey-change" },	\
			 { IB_EVENT_GID_CHANGE,		"gid-change" },		\
			 { IB_EVENT_SM_CHANGE,		"sm-change" },		\
			 { IB_EVENT_CLIENT_REREGISTER,	"client-reregister" })

TRACE_EVENT(ipoib_event,
	    TP_PROTO(const struct ipoib_dev *ipoib, enum ib_event_type event),
	    TP_ARGS(ipoib, event),
	    TP_STRUCT__entry(__array(char, dev, IFNAMSIZ)
			     __array(char, hca, IB_DEVICE_NAME_MAX)
			     __field(u32, port)
			     __field(int, event)),
	    TP_fast_assign(strscpy(__entry->dev, ipoib->netdev->name, IFNAMSIZ);
			   strscpy(__entry->hca, dev_name(&ipoib->ibdev->dev),
				   IB_DEVICE_NAME_MAX);
			   __entry->port = ipoib->port_num;
			   __entry->event = event;),
	    TP_printk("dev=%s hca=%s port=%u event=%s", __entry->dev,
		      __entry->hca, __entry->port,
		      ipoib_show_event(__entry->event)));

DECLARE_EVENT_CLASS(ipoib_join,
		    TP_PROTO(const struct ipoib_group *group, int status),
		    TP_ARGS(group, status),
		    TP_STRUCT__entry(__array(char, dev, IFNAMSIZ)
				     __array(char, hca, IB_DEVICE_NAME_MAX)
				     __array(u8, mgid, sizeof(union ib_gid))
				     __field(u16, mlid)
				     __field(bool, send_only)
				     __field(int, status)),
		    TP_fast_assign(strscpy(__entry->dev, group->ipoib->netdev->name, IFNAMSIZ);
				   strscpy(__entry->hca, dev_name(&group->ipoib->ibdev->dev),
					   IB_DEVICE_NAME_MAX);
				   memcpy(__entry->mgid, &group->mgid, sizeof(group->mgid));
				   __entry->mlid = be16_to_cpu(group->rec.mlid);
				   __entry->send_only = group->send_only;
				   __entry->status = status;),
		    TP_printk("dev=%s hca=%s mgid=%pI6c mlid=0x%04x send_only=%d status=%d",
			      __entry->dev, __entry->hca, __entry->mgid, __entry->mlid,
			      __entry->send_only, __entry->status));

DEFINE_EVENT(ipoib_join, ipoib_join_start,
	     TP_PROTO(const struct ipoib_group *group, int status),
	     TP_ARGS(group, status));

DEFINE_EVENT(ipoib_join, ipoib_join_done,
	     TP_PROTO(const struct ipoib_group *group, int status),
	     TP_ARGS(group, status));

DEFINE_EVENT(ipoib_join, ipoib_join_failed,
	     TP_PROTO(const struct ipoib_group *group, int status),
	     TP_ARGS(group, status));

DECLARE_EVENT_CLASS(ipoib_path,
		    TP_PROTO(const struct ipoib_path *path, int status),
		    TP_ARGS(path, status),
		    TP_STRUCT__entry(__array(char, dev, IFNAMSIZ)
				     __array(char, hca, IB_DEVICE_NAME_MAX)
				     __array(u8, gid, sizeof(union ib_gid))
				     __field(u32, dlid)
				     __field(u8, sl)
				     __field(int, status)),
		    TP_fast_assign(strscpy(__entry->dev, path->ipoib->netdev->name, IFNAMSIZ);
				   strscpy(__entry->hca, dev_name(&path->ipoib->ibdev->dev),
					   IB_DEVICE_NAME_MAX);
				   memcpy(__entry->gid, &path->gid, sizeof(path->gid));
				   __entry->dlid = path->dlid;
				   __entry->sl = path->sl;
				   __entry->status = status;),
		    TP_printk("dev=%s hca=%s gid=%pI6c dlid=0x%04x sl=%u status=%d",
			      __entry->dev, __entry->hca, __entry->gid, __entry->dlid,
			      __entry->sl, __entry->status));

DEFINE_EVENT(ipoib_path, ipoib_path_start,
	     TP_PROTO(const struct ipoib_path *path, int status),
	     TP_ARGS(path, status));

DEFINE_EVENT(ipoib_path, ipoib_path_done,
	     TP_PROTO(const struct ipoib_path *path, int status),
	     TP_ARGS(path, status));

DEFINE_EVENT(ipoib_path, ipoib_path_failed,
	     TP_PROTO(const struct ipoib_path *path, int status),
	     TP_ARGS(path, status));

DECLARE_EVENT_CLASS(ipoib_dst,
		    TP_PROTO(const struct ipoib_dev *ipoib, const struct ipoib_dst *dst),
		    TP_ARGS(ipoib, dst),
		    TP_STRUCT__entry(__array(char, dev, IFNAMSIZ)
				     __array(char, hca, IB_DEVICE_NAME_MAX)
				     __array(u8, addr, INFINIBAND_ALEN)),
		    TP_fast_assign(strscpy(__entry->dev, ipoib->netdev->name, IFNAMSIZ);
				   strscpy(__entry->hca, dev_name(&ipoib->ibdev->dev),
					   IB_DEVICE_NAME_MAX);
				   memcpy(__entry->addr, dst->addr, INFINIBAND_ALEN);),
		    TP_printk("dev=%s hca=%s addr=%20phC", __entry->dev, __entry->hca,
			      __entry->addr));

DEFINE_EVENT(ipoib_dst, ipoib_dst_create,
	     TP_PROTO(const struct ipoib_dev *ipoib, const struct ipoib_dst *dst),
	     TP_ARGS(ipoib, dst));

DEFINE_EVENT(ipoib_dst, ipoib_dst_remove,
	     TP_PROTO(const struct ipoib_dev *ipoib, const struct ipoib_dst *dst),
	     TP_ARGS(ipoib, dst));

DECLARE_EVENT_CLASS(ipoib_conn,
		    TP_PROTO(const struct ipoib_conn *conn, const u8 *addr, int status),
		    TP_ARGS(conn, addr, status),
		    TP_STRUCT__entry(__array(char, dev, IFNAMSIZ)
				     __array(char, hca, IB_DEVICE_NAME_MAX)
				     __array(u8, addr, INFINIBAND_ALEN)
				     __field(bool, passive)
				     __field(int, status)),
		    TP_fast_assign(strscpy(__entry->dev, conn->ipoib->netdev->name, IFNAMSIZ);
				   strscpy(__entry->hca, dev_name(&conn->ipoib->ibdev->dev),
					   IB_DEVICE_NAME_MAX);
				   memcpy(__entry->addr, addr, INFINIBAND_ALEN);
				   __entry->passive = conn->passive;
				   __entry->status = status;),
		    TP_printk("dev=%s hca=%s addr=%20phC passive=%d status=%d", __entry->dev,
			      __entry->hca, __entry->addr, __entry->passive,
			      __entry->status));

DEFINE_EVENT(ipoib_conn, ipoib_conn_request,
	     TP_PROTO(const struct ipoib_conn *conn, const u8 *addr, int status),
	     TP_ARGS(conn, addr, status));

DEFINE_EVENT(ipoib_conn, ipoib_conn_up,
	     TP_PROTO(const struct ipoib_conn *conn, const u8 *addr, int status),
	     TP_ARGS(conn, addr, status));

DEFINE_EVENT(ipoib_conn, ipoib_conn_failed,
	     TP_PROTO(const struct ipoib_conn *conn, const u8 *addr, int status),
	     TP_ARGS(conn, addr, status));

DEFINE_EVENT(ipoib_conn, ipoib_conn_lost,
	     TP_PROTO(const struct ipoib_conn *conn, const u8 *addr, int status),
	     TP_ARGS(conn, addr, status));

DEFINE_EVENT(ipoib_conn, ipoib_conn_accept,
	     TP_PROTO(const struct ipoib_conn *conn, const u8 *addr, int status),
	     TP_ARGS(conn, addr, status));

DECLARE_EVENT_CLASS(ipoib_queue,
		    TP_PROTO(const struct ipoib_txq *txq),
		    TP_ARGS(txq),
		    TP_STRUCT__entry(__array(char, dev, IFNAMSIZ)
				     __array(char, hca, IB_DEVICE_NAME_MAX)
				     __field(u32, queue)
				     __field(u32, backlog)),
		    TP_fast_assign(strscpy(__entry->dev, txq->ipoib->netdev->name, IFNAMSIZ);
				   strscpy(__entry->hca, dev_name(&txq->ipoib->ibdev->dev),
					   IB_DEVICE_NAME_MAX);
				   __entry->queue = txq - txq->ipoib->txq;
				   __entry->backlog = ipoib_txq_backlog(txq);),
		    TP_printk("dev=%s hca=%s queue=%u backlog=%u", __entry->dev,
			      __entry->hca, __entry->queue, __entry->backlog));

DEFINE_EVENT(ipoib_queue, ipoib_queue_stop,
	     TP_PROTO(const struct ipoib_txq *txq),
	     TP_ARGS(txq));

DEFINE_EVENT(ipoib_queue, ipoib_queue_wake,
	     TP_PROTO(const struct ipoib_txq *txq),
	     TP_ARGS(txq));

DEFINE_EVENT(ipoib_queue, ipoib_queue_reset,
	     TP_PROTO(const struct ipoib_txq *txq),
	     TP_ARGS(txq));

DEFINE_EVENT(ipoib_queue, ipoib_tx_timeout,
	     TP_PROTO(const struct ipoib_txq *txq),
	     TP_ARGS(txq));

#endif /* IPOIB_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE ipoib_trace
#include <trace/define_trace.h>
